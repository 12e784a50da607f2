import { endOf } from '../../src/protocol/run-status.ts';
import type { Everything } from '../../src/runner/scenario.ts';
import { eventsOf } from './compare-runs.ts';
import { runsIn, type AnyRun } from './every-run.ts';
import { SOURCE_OF } from './fixture-sources.ts';
import { isObserved } from './run-observation.ts';
import { SWEPT } from './swept-fixtures.ts';

const OF_ROWS: ReadonlySet<string> = new Set(SWEPT.map(({ workflowId }) => SOURCE_OF + workflowId));

/** Whether a source is of a fixture that rows drive themselves, by its role. */
export function isOfRows({ role }: { readonly role: string }): boolean {
  return OF_ROWS.has(role);
}

/** The scenario that runs and forks whatever a host advertises. */
export const SWEEP = 'sequence.sweep';

/** The role of a run that waits, as it is read once it was replayed: nobody has answered it. */
export const WAITS_ON = 'run that waits, once it was replayed';

/** Whether a run came to an end of its own: what replays of others go on to, behind their histories, no document says. */
export function endedByItself(run: Pick<AnyRun, 'events'>): boolean {
  const end = endOf(eventsOf(run));
  return end === 'completed' || end === 'failed';
}

/** A workflow that a sweep ran, with its replays; all were seen to their ends. */
export interface SweptWorkflow {
  readonly source: AnyRun;
  readonly replays: readonly AnyRun[];
}

/** The workflows that a sweep ran to their ends and replayed. A judge that reads them is one of a scenario that gets everything (`foundation`). */
export function sweptIn(everything: Everything): readonly SweptWorkflow[] {
  const runs = runsIn(everything).filter((run) => run.scenario === SWEEP && isObserved(run));
  const replaysOf = new Map<string, AnyRun[]>();
  for (const run of runs) {
    const from = run.fork?.sourceRunId ?? undefined;
    if (from !== undefined) replaysOf.set(from, [...(replaysOf.get(from) ?? []), run]);
  }
  return runs.flatMap((source) => {
    const replays = source.fork === null && endedByItself(source) ? (replaysOf.get(source.runId ?? '') ?? []) : [];
    return replays.length > 0 ? [{ source, replays }] : [];
  });
}

/** Those of them that no row drives itself. */
export function sweptBesideRows(everything: Everything): readonly SweptWorkflow[] {
  return sweptIn(everything).filter(({ source }) => !isOfRows(source));
}
