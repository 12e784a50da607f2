import type { Observation } from '../../src/evidence/types.ts';
import type { Recorded } from '../../src/runner/scenario.ts';

/** What a scenario recorded. */
export type Recordings = readonly Recorded<Observation>[];

/** The observations of one type, in the order in which they were recorded. The runner has looked at their form. */
export function ofType<O extends Observation>(recorded: Recordings, type: O['type']): readonly Recorded<O>[] {
  return recorded.filter((each): each is Recorded<O> => each.type === type);
}
