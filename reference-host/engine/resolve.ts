import type { RunRecord } from '../store/runs.ts';
import type { Store } from '../store/store.ts';
import { answerKey } from '../types/interrupts.ts';
import { stateOf } from './execution.ts';

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

export interface Resolving {
  readonly store: Store;
  /** How long the caller may have to wait until the log shows the answer that the host has taken, in milliseconds. */
  readonly patienceMs: number;
}

/** Takes the first answer to a node's question, lets the run go on, and waits until its log shows the answer. */
export async function resolveInterrupt(
  { store, patienceMs }: Resolving,
  { run, nodeId, resumeValue }: Answer,
  launch: (run: RunRecord) => void,
): Promise<Resolution> {
  const { nodes, status, completedAt } = stateOf(store, run);
  const interrupt = nodes.get(nodeId)?.interrupt;
  if (interrupt === undefined) return { kind: 'no such interrupt' };
  const place = { runId: run.runId, nodeId, cacheKey: answerKey(interrupt.key) };
  if (interrupt.resolved || store.observations.get(place) !== undefined) return { kind: 'already resolved' };
  if (completedAt !== undefined) return { kind: 'run is over', status };
  const isFirst = store.atomically(() => {
    if (store.observations.get(place) !== undefined) return false;
    store.observations.record(place, { value: resumeValue, events: [] });
    return true;
  }, 'record-observation');
  if (!isFirst) return { kind: 'already resolved' };
  launch(run);
  await shown({ store, patienceMs }, run, nodeId, interrupt.interruptId);
  return { kind: 'resolved', interruptId: interrupt.interruptId };
}

interface Attention {
  /** Whether nobody carries the run out. */
  readonly isIdle: () => boolean;
  /** The questions of whose answers was heard before, each with its run: no answer is told twice. */
  readonly heard: Set<string>;
}

/** Waits until an open question of an idle run has an answer that another process has taken; false when none can come any more. */
export async function answeredElsewhere(store: Store, run: RunRecord, { isIdle, heard }: Attention): Promise<boolean> {
  const { signal } = new AbortController();
  while (store.events.isOpen() && isIdle()) {
    const { nodes, completedAt } = stateOf(store, run);
    if (completedAt !== undefined) return false;
    for (const [nodeId, { interrupt }] of nodes) {
      if (interrupt === undefined || interrupt.resolved) continue;
      const answer = store.observations.get({ runId: run.runId, nodeId, cacheKey: answerKey(interrupt.key) });
      const question = `${run.runId} ${interrupt.interruptId}`;
      if (answer === undefined || heard.has(question)) continue;
      heard.add(question);
      return true;
    }
    await store.events.changed(run.runId, store.events.last(run.runId)?.sequence, signal);
  }
  return false;
}

/** A node that has asked something else by then shows that it has taken the answer. */
async function shown(
  { store, patienceMs }: Resolving,
  run: RunRecord,
  nodeId: string,
  interruptId: string,
): Promise<void> {
  const signal = AbortSignal.timeout(patienceMs);
  for (;;) {
    const { nodes, completedAt } = stateOf(store, run);
    const interrupt = nodes.get(nodeId)?.interrupt;
    if (interrupt?.interruptId !== interruptId || interrupt.resolved || completedAt !== undefined) return;
    if (!(await store.events.changed(run.runId, store.events.last(run.runId)?.sequence, signal))) return;
  }
}
