import type { Worker } from 'node:worker_threads';

/** Threads that work off jobs, each one job at a time. */
export interface Lanes<Job, Answer> {
  /**
   * Gives each job to the next free lane and hands the answers on in the jobs' order, each as soon as those before it are
   * there. Rejects when a lane fails: no job is ever left out.
   */
  run(jobs: readonly Job[], onAnswer: (answer: Answer, job: Job) => void): Promise<void>;
  close(): Promise<void>;
}

/** Starts threads; `start` makes one, which answers every message with exactly one. */
export function openLanes<Job, Answer>(count: number, start: () => Worker): Lanes<Job, Answer> {
  const workers = Array.from({ length: count }, start);
  return {
    run: async (jobs, onAnswer) => {
      const answers = new Map<number, Answer>();
      let next = 0;
      let given = 0;
      const work = async (worker: Worker): Promise<void> => {
        for (let job = next++; job < jobs.length; job = next++) {
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
