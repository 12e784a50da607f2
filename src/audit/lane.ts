import { parentPort } from 'node:worker_threads';
import { readVolatile } from '../event-log/index.ts';
import { auditPair } from './recorded.ts';
import type { Answered, Asked } from './threads.ts';

// A thread that compares pairs of recorded logs: it answers each message with one.
parentPort?.on('message', async ({ number, pair, volatile }: Asked) => {
  const read = readVolatile(volatile);
  const line = await auditPair(pair, read.ok ? read.places : new Map());
  parentPort?.postMessage({ number, line } satisfies Answered);
});
