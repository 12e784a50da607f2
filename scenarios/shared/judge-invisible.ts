import { isDeepStrictEqual } from 'node:util';
import type { Judgement } from '../../src/contract/verdict.ts';
import type { Json, Observation } from '../../src/evidence/types.ts';
import { isSuccess } from '../../src/protocol/status.ts';
import type { Recorded } from '../../src/runner/scenario.ts';
import { askedIn, shownAnswer, undecided, type AskedObservation } from './asked.ts';
import { shown } from './compare-runs.ts';
import { withoutTwin } from './control.ts';
import { sharedCause } from './diagnoses.ts';

type Asked = Recorded<AskedObservation>;

/**
 * Judges that a run of another tenant is answered like an unknown one: same status, same body with the asked id put
 * aside. Values that differ between two unknown runs, such as a request's own id, do not count.
 */
export function judgeInvisible(
  observations: readonly Recorded<Observation>[],
  row: { readonly check: string; readonly twin: string },
): Judgement {
  const { check } = row;
  const missing = withoutTwin(observations, row);
  if (missing !== undefined) return missing;
  const [invisible] = askedIn(observations, 'invisible');
  const [unknown, other] = askedIn(observations, 'unknown');
  if (invisible === undefined || unknown === undefined || other === undefined) {
    return { check, verdict: 'inconclusive', reason: 'the second tenant did not ask', evidence: [] };
  }
  const evidence = [invisible.id, unknown.id, other.id];
  const inconclusive = (reason: string): Judgement => ({ check, verdict: 'inconclusive', reason, evidence });
  const why = [invisible, unknown, other].map(undecided).find((each) => each !== undefined);
  if (why !== undefined) return inconclusive(why);
  const [status, likeUnknown] = [statusOf(invisible), statusOf(unknown)];
  if (isSuccess(status)) {
    const diagnosis = { code: 'tenants-mixed', message: 'a run of another tenant was forked' };
    return { check, verdict: 'fail', expected: '404', actual: shownAnswer(invisible), diagnosis, evidence };
  }
  if (likeUnknown !== 404 || statusOf(other) !== 404) {
    return inconclusive(`to the second tenant a run that there is not is ${shownAnswer(unknown)}, not 404`);
  }
  const difference = status === 404 ? bodyDifference({ invisible, unknown, other }) : undefined;
  if (status === 404 && difference === undefined) return { check, verdict: 'pass', evidence };
  return {
    check,
    verdict: 'fail',
    expected: difference?.expected ?? `404, as for the unknown run ${unknown.name}`,
    actual: difference?.actual ?? `${shownAnswer(invisible)} for the run ${invisible.name} of another tenant`,
    diagnosis: sharedCause('existence-revealed'),
    evidence,
  };
}

interface Answers {
  readonly invisible: Asked;
  readonly unknown: Asked;
  readonly other: Asked;
}

/** Where the body for another tenant's run differs from those for unknown ones, ids put aside; undefined where it does not. */
export function bodyDifference(answers: Answers): { readonly expected: string; readonly actual: string } | undefined {
  const [a, b, c] = [answers.invisible, answers.unknown, answers.other].map(leavesOf);
  if (a === undefined || b === undefined || c === undefined) return undefined;
  for (const pointer of new Set([...a.keys(), ...b.keys()])) {
    const [value, unknown, other] = [a.get(pointer), b.get(pointer), c.get(pointer)];
    const volatile = unknown !== undefined && other !== undefined && !isDeepStrictEqual(unknown, other);
    if (volatile ? value !== undefined : isDeepStrictEqual(value, unknown)) continue;
    return {
      expected: `${pointer}: ${shown(unknown)} as for an unknown run, ids put aside`,
      actual: `${shown(value)} for a run of another tenant`,
    };
  }
  return undefined;
}

/** The values of an answer's body by their pointers, with the asked id replaced; a body that is no JSON counts as absent. */
function leavesOf({ answer, name }: Asked): ReadonlyMap<string, Json> {
  const leaves = new Map<string, Json>();
  const walk = (value: Json, pointer: string): void => {
    if (typeof value === 'object' && value !== null) {
      const entries = Object.entries(value);
      leaves.set(pointer, Array.isArray(value) ? [] : {});
      for (const [key, inner] of entries) walk(inner, `${pointer}/${key.replaceAll(name, '(id)')}`);
    } else leaves.set(pointer, typeof value === 'string' ? value.replaceAll(name, '(id)') : value);
  };
  if (answer.kind === 'answer' && answer.body.json) walk(answer.body.value, '');
  return leaves;
}

function statusOf({ answer }: Asked): number {
  return answer.kind === 'answer' ? answer.status : 0;
}
