import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { readVolatile } from '../event-log/index.ts';
import type { AuditLine } from './line.ts';
import { auditPair, type RecordedPair } from './recorded.ts';

/** What a thread is asked: a pair to compare, the volatile places as JSON pointers. */
export interface Asked {
  readonly number: number;
  readonly pair: RecordedPair;
  readonly volatile: readonly string[];
}

export interface Answered {
  readonly number: number;
  readonly line: AuditLine;
}

/** Threads that compare pairs; `atOnce` is how many pairs keep them busy. */
export interface AuditThreads {
  readonly audit: (pair: RecordedPair) => Promise<AuditLine>;
  readonly atOnce: number;
  readonly close: () => Promise<void>;
}

/** So that a thread has the next one while its answer is on the way. */
const PAIRS_A_THREAD = 4;
const THREADS = Math.min(8, availableParallelism());
const LANE = new URL('./audit-lane.js', import.meta.url);

/** Starts a thread for each processor. Where the program was not built there is no file to start: this thread compares then. */
export function openAuditThreads(volatile: readonly string[], lane: URL = LANE): AuditThreads {
  if (!existsSync(lane)) {
    const read = readVolatile(volatile);
    const places = read.ok ? read.places : new Map();
    return { audit: (pair) => auditPair(pair, places), atOnce: 1, close: () => Promise.resolve() };
  }
  const threads = Array.from({ length: THREADS }, () => openThread(lane, volatile));
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

function openThread(lane: URL, volatile: readonly string[]) {
  const worker = new Worker(lane);
  const open = new Map<number, { resolve: (line: AuditLine) => void; reject: (error: unknown) => void }>();
  let count = 0;
  worker
    .on('message', ({ number, line }: Answered) => {
      open.get(number)?.resolve(line);
      open.delete(number);
    })
    .on('error', (error) => {
      for (const { reject } of open.values()) reject(error);
    });
  const ask = (pair: RecordedPair): Promise<AuditLine> =>
    new Promise((resolve, reject) => {
      count += 1;
      open.set(count, { resolve, reject });
      worker.postMessage({ number: count, pair, volatile } satisfies Asked);
    });
  return { worker, ask };
}
