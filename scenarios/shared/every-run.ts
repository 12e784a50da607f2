import type { Observation } from '../../src/evidence/types.ts';
import type { Everything, Recorded } from '../../src/runner/scenario.ts';
import type { RunObservation } from './run-observation.ts';
import { run } from './shapes.ts';

/** A run of any scenario. */
export type AnyRun = Recorded<RunObservation> & { readonly scenario: string };

/** All runs that were recorded, by their shape: evidence may be edited. */
export function runsIn(everything: Everything): readonly AnyRun[] {
  return everything.filter((each) => isRun(each));
}

/** Looked at once: a long log has to be unpacked for it. */
const known = new WeakMap<object, boolean>();

/** Whether an observation is a run, by its shape. */
export function isRun<O extends Recorded<Observation>>(observation: O): observation is O & RunObservation {
  if (observation.type !== 'run') return false;
  const is = known.get(observation) ?? run(observation, '') === undefined;
  known.set(observation, is);
  return is;
}

/** Scenarios whose runs are whole: nothing of theirs has expired or was deleted, and no host was killed. */
const WHOLE = /^(?:run|fork|replay|refusal|sequence|handoff)\./u;

/** The runs of which nothing was taken away. */
export function wholeRunsIn(everything: Everything): readonly AnyRun[] {
  return runsIn(everything).filter(({ scenario }) => WHOLE.test(scenario));
}
