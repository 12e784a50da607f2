import { member } from '../../src/contract/discovery.ts';
import type { Observation } from '../../src/evidence/types.ts';
import type { Everything, Recorded } from '../../src/runner/scenario.ts';
import type { RunObservation } from './run-observation.ts';

/** A run of any scenario. */
export type AnyRun = Recorded<RunObservation> & { readonly scenario: string };

/** All runs that were recorded. */
export function runsIn(everything: Everything): readonly AnyRun[] {
  return everything.filter((each) => isRun(each));
}

/** Whether an observation is a run. */
export function isRun<O extends Recorded<Observation>>(observation: O): observation is O & RunObservation {
  return observation.type === 'run';
}

/** A run that another one dispatched, as it was read. */
export type ReadChild = Pick<RunObservation, 'runId' | 'events' | 'snapshot' | 'problem'> & { readonly parent: string };

/** Whether an observation is a child of a run. */
export function isChild<O extends Recorded<Observation>>(observation: O): observation is O & ReadChild {
  return observation.type === 'child';
}

/** The children that were read, as the runs that they are. */
export function childRunsIn(everything: Everything): readonly (AnyRun & Pick<ReadChild, 'parent'>)[] {
  const made = { type: 'run', fork: null, answered: null, answer: null } as const;
  return everything.filter(isChild).map((child) => {
    const workflowId = member(child.snapshot, 'workflowId');
    const known = typeof workflowId === 'string' ? { workflowId } : {};
    return { ...child, ...made, ...known, role: `child of the ${child.parent}` };
  });
}

/** Scenarios whose runs are whole: nothing of theirs has expired or was deleted, and no host was killed. */
const WHOLE = /^(?:run|fork|replay|refusal|sequence|handoff)\./u;

/** What was recorded of runs of which nothing was taken away. */
export function wholeIn(everything: Everything): Everything {
  return everything.filter(({ scenario }) => WHOLE.test(scenario));
}

/** The runs of which nothing was taken away. */
export function wholeRunsIn(everything: Everything): readonly AnyRun[] {
  return runsIn(wholeIn(everything));
}

/** Scenarios that plant secrets in runs, take data from them, or read them at another host: their snapshots have rows of their own. */
const OTHERWISE_SHOWN = /^(?:privacy|retention|region)\./u;

/** The runs whose snapshots show what their logs say. */
export function shownRunsIn(everything: Everything): readonly AnyRun[] {
  return runsIn(everything).filter(({ scenario }) => !OTHERWISE_SHOWN.test(scenario));
}

/** The run that a fork was made of, where it is among these. */
export function sourceAmong(
  { fork }: RunObservation,
  among: readonly Recorded<Observation>[],
): RunObservation | undefined {
  const sourceRunId = fork?.sourceRunId ?? null;
  return sourceRunId === null ? undefined : byRunId(among).get(sourceRunId);
}

/** The first run of each id. A list is looked through once, for all forks whose source is sought in it. */
function byRunId(among: readonly Recorded<Observation>[]): ReadonlyMap<string | null, RunObservation> {
  const known = indexed.get(among);
  if (known !== undefined) return known;
  const runs = new Map<string | null, RunObservation>();
  for (const run of among.filter(isRun)) if (!runs.has(run.runId)) runs.set(run.runId, run);
  indexed.set(among, runs);
  return runs;
}

const indexed = new WeakMap<readonly Recorded<Observation>[], ReadonlyMap<string | null, RunObservation>>();
