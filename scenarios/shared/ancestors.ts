import { renameRunId } from '../../src/event-log/index.ts';
import { isRecord } from '../../src/host/run-event.ts';
import type { RunObservation } from './observed-run.ts';

type Forked = Pick<RunObservation, 'runId' | 'fork'>;

/**
 * The runs that two runs come from, apart from these themselves: a history that is copied to the byte (0041 §C.1) names the one that wrote
 * it, which a replay of it may have executed anew under an id of its own.
 */
export function ancestorsOf(...runs: readonly Forked[]): readonly string[] {
  const named = runs.map(({ fork }) => fork?.sourceRunId ?? null).filter((id) => id !== null);
  return [...new Set(named)].filter((id) => runs.every(({ runId }) => runId !== id));
}

/** A value in which a run has its own id wherever one of these runs is named. */
export function withOwnId(value: unknown, { runId }: Forked, ancestors: readonly string[]): unknown {
  const renames = ancestors.map((id) => renameRunId(id, runId ?? undefined));
  const own = (text: string): string => renames.reduce((renamed, rename) => rename(renamed), text);
  const change = (each: unknown): unknown => {
    if (typeof each === 'string') return own(each);
    if (Array.isArray(each)) return each.map(change);
    if (!isRecord(each)) return each;
    return Object.fromEntries(Object.entries(each).map(([name, member]) => [own(name), change(member)]));
  };
  return renames.length === 0 ? value : change(value);
}
