import { Worker } from 'node:worker_threads';
import { describe, expect, it } from 'vitest';
import { openLanes } from './lanes.ts';

/** A lane that answers with ten times the number, ends at 7 and throws at 8; 0 waits until another job is answered. */
const SCRIPT = `
const { parentPort, workerData } = require('node:worker_threads');
parentPort.on('message', (job) => {
  if (job === 7) process.exit(0);
  if (job === 8) throw new Error('broken');
  if (job === 0) Atomics.wait(workerData, 0, 0, 10_000);
  Atomics.store(workerData, 0, 1);
  Atomics.notify(workerData, 0);
  parentPort.postMessage(job * 10);
});`;

async function answersTo(jobs: readonly number[]): Promise<readonly (readonly [number, number])[]> {
  const workerData = new Int32Array(new SharedArrayBuffer(4));
  const lanes = openLanes<number, number>(2, () => new Worker(SCRIPT, { eval: true, workerData }));
  const answers: (readonly [number, number])[] = [];
  try {
    await lanes.run(jobs, (answer, job) => answers.push([job, answer]));
  } finally {
    await lanes.close();
  }
  return answers;
}

describe('lanes', () => {
  it('give every answer once, in the order of the jobs', async () => {
    const jobs = [0, 1, 2, 3, 4, 5];
    expect(await answersTo(jobs)).toEqual(jobs.map((job) => [job, job * 10]));
  });

  it('reject when one of them fails or ends', async () => {
    await expect(answersTo([1, 8, 2])).rejects.toThrow('broken');
    await expect(answersTo([1, 2, 7])).rejects.toThrow('a lane ended at 7');
  });
});
