import type { Observation } from '../evidence/types.ts';
import type { Foundation, Recorded } from './scenario.ts';

/**
 * The checks that may own the cause of a check that is undecided and names none, the likeliest first: the claims that an
 * observation breaks which the judgement points at, then those that any other one of its scenario breaks.
 */
export function suspectsOf(
  { evidence }: { readonly evidence: readonly string[] },
  observations: readonly Recorded<Observation>[],
  foundations: readonly Foundation[],
): readonly string[] {
  const brokenBy = (recorded: readonly Recorded<Observation>[]): readonly Foundation[] =>
    foundations.filter((foundation) => recorded.some((each) => foundation.isBrokenBy?.(each) === true));
  const meant = brokenBy(observations.filter(({ id }) => evidence.includes(id)));
  return [...new Set([...meant, ...brokenBy(observations)])].map(({ check }) => check);
}
