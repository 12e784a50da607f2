import type { RunRecord } from '../store/runs.ts';
import type { Store } from '../store/store.ts';
import { refusal, type Answer } from '../types/answers.ts';

/** A run with everything that was forked from it or dispatched by it, near or far. */
export function descendants({ runs }: Pick<Store, 'runs'>, run: RunRecord): readonly RunRecord[] {
  const found = new Map([[run.runId, run]]);
  for (const { runId } of found.values()) {
    for (const each of [...runs.forks(runId), ...runs.children(runId)]) found.set(each.runId, each);
  }
  return [...found.values()];
}

/**
 * 409 as long as one of these runs, or one that the run was dispatched by, or a descendant of it, is not over: it may still
 * need what is to go.
 */
export function inUse(store: Store, run: RunRecord, runs: readonly RunRecord[]): Answer | undefined {
  const dispatcher = run.dispatchedBy === undefined ? undefined : store.runs.get(run.dispatchedBy.runId);
  const concerned = [...runs, ...descendants(store, run), ...(dispatcher === undefined ? [] : [dispatcher])];
  const open = concerned.find(({ runId }) => !store.events.hasEnded(runId));
  if (open === undefined) return undefined;
  return refusal(409, 'run_in_use', 'A run that may need this data is not over.', { runId: open.runId });
}
