import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { readVolatile } from '../event-log/index.ts';
import type { AuditLine } from './line.ts';
import type { RecordedPair } from './pairs.ts';
import { auditPair } from './recorded.ts';

/** What a thread is asked: pairs to compare, the volatile places as JSON pointers. */
export interface Requested {
  readonly pairs: readonly RecordedPair[];
  readonly volatile: readonly string[];
}

/** Lines about the next pairs that it was asked for, in their order; sent as JSON, which costs less than objects do. */
export type Answered = readonly AuditLine[];

/** Threads that compare pairs; `atOnce` is how many pairs keep them busy. */
export interface AuditThreads {
  readonly audit: (pair: RecordedPair) => Promise<AuditLine>;
  readonly atOnce: number;
  readonly close: () => Promise<void>;
}

/** Pairs that are sent together: a message costs as much as the comparison of a short pair. */
const PAIRS_A_MESSAGE = 16;
/** So that a thread has the next ones while its answer is on the way. */
const PAIRS_A_THREAD = 4 * PAIRS_A_MESSAGE;
const THREADS = Math.min(8, availableParallelism());
/** Garbage that a thread may gather before it is swept: a thread left to itself takes the more the longer it works, to no use. */
const YOUNG_MEGABYTES = 12;
const LANE = new URL('./audit-lane.js', import.meta.url);

/** Starts a thread for each processor. Where the program was not built there is no file to start: this thread compares then. */
export function openAuditThreads(volatile: readonly string[]): AuditThreads {
  if (!existsSync(LANE)) {
    const read = readVolatile(volatile);
    const places = read.ok ? read.places : new Map();
    return { audit: (pair) => auditPair(pair, places), atOnce: 1, close: () => Promise.resolve() };
  }
  const threads = Array.from({ length: THREADS }, () => openThread(volatile));
  let next = 0;
  return {
    audit: (pair) => {
      next = (next + 1) % threads.length;
      return threads[next]?.ask(pair) ?? auditPair(pair, new Map());
    },
    atOnce: PAIRS_A_THREAD * threads.length,
    close: async () => {
      await Promise.all(threads.map(({ worker }) => worker.terminate()));
    },
  };
}

function openThread(volatile: readonly string[]) {
  const worker = new Worker(LANE, { resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MEGABYTES } });
  const open: { resolve: (line: AuditLine) => void; reject: (error: unknown) => void }[] = [];
  let pairs: RecordedPair[] = [];
  worker
    .on('message', (lines: string) => {
      for (const line of JSON.parse(lines) as Answered) open.shift()?.resolve(line);
    })
    .on('error', (error) => {
      for (const { reject } of open) reject(error);
    });
  const send = (): void => {
    if (pairs.length > 0) worker.postMessage({ pairs, volatile } satisfies Requested);
    pairs = [];
  };
  const ask = (pair: RecordedPair): Promise<AuditLine> =>
    new Promise((resolve, reject) => {
      open.push({ resolve, reject });
      pairs.push(pair);
      if (pairs.length === PAIRS_A_MESSAGE) send();
      else if (pairs.length === 1) setImmediate(send);
    });
  return { worker, ask };
}
