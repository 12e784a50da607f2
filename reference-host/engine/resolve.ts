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
  await shown(store, run, nodeId, interrupt.interruptId);
  return { kind: 'resolved', interruptId: interrupt.interruptId };
}

/** A node that has asked something else by then shows that it has taken the answer. */
async function shown(store: Store, run: RunRecord, nodeId: string, interruptId: string): Promise<void> {
  const signal = AbortSignal.timeout(PATIENCE_MS);
  for (;;) {
    const { nodes, completedAt } = stateOf(store, run);
    const interrupt = nodes.get(nodeId)?.interrupt;
    if (interrupt?.interruptId !== interruptId || interrupt.resolved || completedAt !== undefined) return;
    if (!(await store.events.changed(run.runId, store.events.last(run.runId)?.sequence, signal))) return;
  }
}
