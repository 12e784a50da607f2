import { isOutcome, rests, undecided, type Outcome } from '../../src/contract/outcome.ts';
import { leftWithout, need, runOf, type RecordedRun, leftUndriven } from '../shared/need.ts';
import type { Recordings } from '../shared/of-type.ts';

/**
 * The runs of these roles, or the outcome that is left without them. Whether the host has to make a fork is for its
 * foundation to say: a refused one breaks no rule of this suite, so the check is undecided and rests there.
 */
export function needed<const Role extends string>(
  recorded: Recordings,
  ...roles: readonly Role[]
): Readonly<Record<Role, RecordedRun>> | Outcome {
  const runs = need(recorded, ...roles);
  return isOutcome(runs) ? leftOpen(runs) : runs;
}

/** The same for one run whose role is not known beforehand. */
export function neededRun(recorded: Recordings, role: string): RecordedRun | Outcome {
  const run = runOf(recorded, role);
  const left = leftWithout([run ?? role]);
  return left === undefined ? (run ?? leftUndriven(role)) : leftOpen(left);
}

function leftOpen(left: Outcome): Outcome {
  if (left.kind !== 'rests' || left.otherwise.kind !== 'fail') return left;
  const { actual, evidence } = left.otherwise;
  return rests(left.on, undecided(`a fork was refused: ${actual}`, evidence));
}
