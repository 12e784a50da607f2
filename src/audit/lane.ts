import { parentPort } from 'node:worker_threads';
import { readVolatile } from '../event-log/index.ts';
import type { AuditLine } from './line.ts';
import { auditPair } from './recorded.ts';
import type { Answered, Requested } from './threads.ts';

/** How long a line waits for others, so that they go together. */
const HELD_MS = 50;

let before: Promise<void> = Promise.resolve();

// A thread that compares pairs of recorded logs, one after the other, and answers in their order.
parentPort?.on('message', (requested: Requested) => {
  before = before.then(() => auditAll(requested));
});

async function auditAll({ pairs, volatile }: Requested): Promise<void> {
  const read = readVolatile(volatile);
  const places = read.ok ? read.places : new Map();
  let lines: AuditLine[] = [];
  let since = performance.now();
  const answer = (): void => {
    parentPort?.postMessage(JSON.stringify(lines satisfies Answered));
    lines = [];
    since = performance.now();
  };
  for (const pair of pairs) {
    lines.push(await auditPair(pair, places));
    if (performance.now() - since > HELD_MS) answer();
  }
  if (lines.length > 0) answer();
}
