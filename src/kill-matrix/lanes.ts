import type { Worker } from 'node:worker_threads';

/** What is to be done with jobs. */
export interface Work<Job, Answer> {
  /** Called with each answer as it comes. */
  readonly onAnswer: (answer: Answer, job: Job) => void;
  /** Jobs of the greatest weight are begun first. */
  readonly weight?: (job: Job) => number;
  /** Whether a job mostly waits by the clock: such jobs have places of their own, beside the others. */
  readonly waits?: (job: Job) => boolean;
}

/** Threads that work off jobs, each several at once: while some wait, others work. Those that mostly wait go on beside them. */
export interface Lanes<Job, Answer> {
  /** Gives jobs to free places. Rejects when a lane fails: no job is ever left out. */
  run(jobs: readonly Job[], work: Work<Job, Answer>): Promise<void>;
  close(): Promise<void>;
}

/** A job as a thread gets it, which answers with an `Answered` of the same number. */
export interface Requested<Job> {
  readonly number: number;
  readonly job: Job;
}

export interface Answered<Answer> {
  readonly number: number;
  readonly answer: Answer;
}

/** How many jobs a lane works on, and how many that wait it has beside them: with two of each, lanes had nothing to do half of the time, with four for seconds. */
const WORKING_AT_ONCE = 6;
const WAITING_AT_ONCE = 4;

/** Starts threads; `start` makes one, which answers every message with exactly one. */
export function openLanes<Job, Answer>(count: number, start: () => Worker): Lanes<Job, Answer> {
  const workers = Array.from({ length: count }, start);
  const lanes = workers.map((worker) => openLane<Job, Answer>(worker));
  return {
    run: async (jobs, { onAnswer, weight = () => 0, waits = () => false }) => {
      const sorted = jobs.toSorted((one, other) => weight(other) - weight(one));
      const [waiting, working] = [true, false].map((isWaiting) => sorted.filter((job) => waits(job) === isWaiting));
      const work = async (ask: Ask<Job, Answer>, from: Job[] = []): Promise<void> => {
        for (let job = from.shift(); job !== undefined; job = from.shift()) onAnswer(await ask(job), job);
      };
      const queues = [
        ...Array.from({ length: WORKING_AT_ONCE }, () => working),
        ...Array.from({ length: WAITING_AT_ONCE }, () => waiting),
      ];
      // Every lane has a job before one has two.
      await Promise.all(queues.flatMap((queue) => lanes.map((ask) => work(ask, queue))));
    },
    close: async () => {
      await Promise.all(workers.map((worker) => worker.terminate()));
    },
  };
}

type Ask<Job, Answer> = (job: Job) => Promise<Answer>;

interface Open<Job, Answer> {
  readonly job: Job;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: unknown) => void;
}

function openLane<Job, Answer>(worker: Worker): Ask<Job, Answer> {
  const open = new Map<number, Open<Job, Answer>>();
  let count = 0;
  let isOver = false;
  const ended = (job: Job): Error => new Error(`a lane ended at ${JSON.stringify(job)}`);
  const failed = (why: (job: Job) => unknown): void => {
    isOver = true;
    for (const { job, reject } of open.values()) reject(why(job));
    open.clear();
  };
  worker
    .on('message', ({ number, answer }: Answered<Answer>) => {
      open.get(number)?.resolve(answer);
      open.delete(number);
    })
    .on('error', (error) => failed(() => error))
    .on('exit', () => failed(ended));
  return (job) =>
    new Promise((resolve, reject) => {
      if (isOver) return reject(ended(job));
      count += 1;
      open.set(count, { job, resolve, reject });
      worker.postMessage({ number: count, job } satisfies Requested<Job>);
    });
}
