import { Worker } from 'node:worker_threads';
import { describe, expect, it } from 'vitest';
import { openLanes, type Work } from './lanes.ts';

/** A lane that answers with ten times the number, ends at 7 and throws at 8. Numbers above 100 wait for two others. */
const SCRIPT = `
const { parentPort } = require('node:worker_threads');
const waiting = [];
let others = 0;
parentPort.on('message', ({ number, job }) => {
  if (job === 7) process.exit(0);
  if (job === 8) throw new Error('broken');
  const answer = () => parentPort.postMessage({ number, answer: job * 10 });
  if (job > 100) waiting.push(answer);
  else answer();
  others += job > 100 ? 0 : 1;
  if (others >= 2) for (const late of waiting.splice(0)) late();
});`;

type Ordered = Omit<Work<number, number>, 'onAnswer'>;

async function answersTo(
  count: number,
  jobs: readonly number[],
  ordered: Ordered = {},
): Promise<readonly (readonly [number, number])[]> {
  const lanes = openLanes<number, number>(count, () => new Worker(SCRIPT, { eval: true }));
  const answers: (readonly [number, number])[] = [];
  try {
    await lanes.run(jobs, { ...ordered, onAnswer: (answer, job) => answers.push([job, answer]) });
  } finally {
    await lanes.close();
  }
  return answers;
}

describe('lanes', () => {
  it('give every answer once, with its job', async () => {
    const jobs = [0, 1, 2, 3, 4, 5, 6, 9, 10, 11, 12];
    const answers = await answersTo(2, jobs);
    expect(answers.toSorted(([one], [other]) => one - other)).toEqual(jobs.map((job) => [job, job * 10]));
  });

  it('begin with the jobs of the greatest weight', async () => {
    const answers = await answersTo(1, [1, 2, 3], { weight: (job) => job });
    expect(answers.map(([job]) => job)).toEqual([3, 2, 1]);
  });

  it('run others beside jobs that wait, however many those are and whatever they weigh', async () => {
    const jobs = [101, 102, 103, 104, 105, 106, 1, 2];
    const answers = await answersTo(1, jobs, { weight: (job) => job, waits: (job) => job > 100 });
    expect(answers.map(([job]) => job).toSorted((one, other) => one - other)).toEqual(
      jobs.toSorted((one, other) => one - other),
    );
  });

  it('reject when one of them fails or ends', async () => {
    await expect(answersTo(2, [1, 8, 2])).rejects.toThrow('broken');
    await expect(answersTo(2, [1, 2, 7])).rejects.toThrow('a lane ended at 7');
  });
});
