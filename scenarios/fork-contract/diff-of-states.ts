import { isDeepStrictEqual } from 'node:util';
import { member } from '../../src/contract/discovery.ts';
import type { Mistake } from '../../src/contract/outcome.ts';
import { isRecord } from '../../src/host/run-event.ts';
import { named, shown } from '../shared/compare-runs.ts';
import type { RecordedRun } from '../shared/need.ts';
import { wrong } from './diagnoses.ts';

/** The roles of two runs of one workflow that are given different values, and the variable that holds these. */
export const [ONE, ANOTHER, HELD] = ['run given one value', 'run given another value', 'payload'] as const;

/**
 * A difference of states that says there is none, of two runs whose snapshots show other values of what they were given: they
 * differ from the first event on, so whichever moment is compared. The form is the host's; one that is cut off, or null, says nothing.
 */
export function blindToStates(body: unknown, a: RecordedRun, b: RecordedRun): Mistake | undefined {
  const said = member(body, 'stateDiff');
  if (member(body, 'truncated') === true || !(isRecord(said) || Array.isArray(said)) || !saysAlike(said))
    return undefined;
  const [one, other] = [a, b].map(({ snapshot }) => member(member(snapshot, 'variables'), HELD));
  if ((one ?? null) === null || (other ?? null) === null || isDeepStrictEqual(one, other)) return undefined;
  return {
    expected: `a stateDiff that says that variables/${HELD} differs: ${shown(one)} in the snapshot of ${named(a)}, ${shown(other)} in that of ${named(b)}`,
    actual: `stateDiff ${shown(said)}`,
    diagnosis: wrong('state-diff-blind'),
  };
}

/** Names under which `true` says that there is no difference, and `false` that there is one. */
const ALIKE = /^(?:is|are)?(?:equal|same|identical|empty|unchanged)$/iu;

/** Whether a difference of states, which has no form of the wire's, says that there is none: it holds nothing, at any depth. */
export function saysAlike(value: unknown): boolean {
  if (Array.isArray(value)) return value.every(saysAlike);
  if (isRecord(value)) {
    return Object.entries(value).every(([name, each]) =>
      typeof each === 'boolean' && ALIKE.test(name) ? each : saysAlike(each),
    );
  }
  return value === undefined || value === null || value === false || value === 0 || value === '';
}
