import type { Worker } from 'node:worker_threads';

/** Threads that work off jobs, each one job at a time. */
export interface Lanes<Job, Answer> {
  /**
   * Gives jobs to free lanes, those of the greatest weight first, and hands the answers on in the jobs' order, each as soon as
   * those before it are there. Rejects when a lane fails: no job is ever left out.
   */
  run(jobs: readonly Job[], onAnswer: (answer: Answer, job: Job) => void, weight?: (job: Job) => number): Promise<void>;
  close(): Promise<void>;
}

/** Starts threads; `start` makes one, which answers every message with exactly one. */
export function openLanes<Job, Answer>(count: number, start: () => Worker): Lanes<Job, Answer> {
  const workers = Array.from({ length: count }, start);
  return {
    run: async (jobs, onAnswer, weight = () => 0) => {
      const answers = new Map<number, Answer>();
      const weighed = jobs.map((job, index) => ({ index, weight: weight(job) }));
      const waiting = weighed.toSorted((one, other) => other.weight - one.weight).map(({ index }) => index);
      let given = 0;
      const work = async (worker: Worker): Promise<void> => {
        for (let job = waiting.shift(); job !== undefined; job = waiting.shift()) {
          answers.set(job, (await ask(worker, jobs[job])) as Answer);
          for (; answers.has(given); given += 1) {
            onAnswer(answers.get(given) as Answer, jobs[given] as Job);
            answers.delete(given);
          }
        }
      };
      await Promise.all(workers.map(work));
    },
    close: async () => {
      await Promise.all(workers.map((worker) => worker.terminate()));
    },
  };
}

function ask(worker: Worker, job: unknown): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const ended = (): void => settle(() => reject(new Error(`a lane ended at ${JSON.stringify(job)}`)));
    const failed = (error: unknown): void => settle(() => reject(error));
    const answered = (answer: unknown): void => settle(() => resolve(answer));
    const settle = (how: () => void): void => {
      worker.off('message', answered).off('error', failed).off('exit', ended);
      how();
    };
    worker.on('message', answered).on('error', failed).on('exit', ended);
    worker.postMessage(job);
  });
}
