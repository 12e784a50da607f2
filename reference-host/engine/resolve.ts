import type { RunRecord } from '../store/runs.ts';
import type { Store } from '../store/store.ts';
import { stateOf } from './execution.ts';
import { answerKey } from './interrupts.ts';

/** What came of an answer to a node's question. */
export type Resolution =
  | { readonly kind: 'resolved'; readonly interruptId: string }
  | { readonly kind: 'no such interrupt' }
  | { readonly kind: 'already resolved' }
  | { readonly kind: 'run is over'; readonly status: string };

export interface Answer {
  readonly run: RunRecord;
  readonly nodeId: string;
  readonly resumeValue: unknown;
}

/** How long the caller may have to wait until the log shows the answer that the host has taken. */
const PATIENCE_MS = 5_000;

/** Takes the first answer to a node's question, lets the run go on, and waits until its log shows the answer. */
export async function resolveInterrupt(
  store: Store,
  { run, nodeId, resumeValue }: Answer,
  launch: (run: RunRecord) => void,
): Promise<Resolution> {
  const { nodes, status, completedAt } = stateOf(store, run);
  const interrupt = nodes.get(nodeId)?.interrupt;
  if (interrupt === undefined) return { kind: 'no such interrupt' };
  const place = { runId: run.runId, nodeId, cacheKey: answerKey(interrupt.key) };
  if (interrupt.resolved || store.observations.get(place) !== undefined) return { kind: 'already resolved' };
  if (completedAt !== undefined) return { kind: 'run is over', status };
  store.observations.record(place, { value: resumeValue, events: [] });
  launch(run);
  await shown(store, run, nodeId);
  return { kind: 'resolved', interruptId: interrupt.interruptId };
}

async function shown(store: Store, run: RunRecord, nodeId: string): Promise<void> {
  const signal = AbortSignal.timeout(PATIENCE_MS);
  for (;;) {
    const { nodes, completedAt } = stateOf(store, run);
    if (nodes.get(nodeId)?.interrupt?.resolved === true || completedAt !== undefined) return;
    if (!(await store.events.changed(run.runId, store.events.last(run.runId)?.sequence, signal))) return;
  }
}
