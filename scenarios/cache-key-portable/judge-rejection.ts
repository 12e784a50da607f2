import type { Diagnosis, Judgement } from '../../src/contract/verdict.ts';
import type { Observation } from '../../src/evidence/types.ts';
import { saysNothing } from '../../src/protocol/status.ts';
import type { Recorded } from '../../src/runner/scenario.ts';
import { keyOf, unstable } from './judge-invariance.ts';
import { cutShort, keysOf, type RecordedKey, shownAnswer } from './observation.ts';

/** A row of requests that must get no key: `wrong` says what is wrong about an answer, `advise` what is odd about one. */
export interface RejectionRow {
  readonly check: string;
  readonly expected: string;
  readonly wrong: (asked: RecordedKey) => boolean;
  readonly advise: (asked: RecordedKey) => string | undefined;
  readonly diagnose: (asked: RecordedKey) => Diagnosis | undefined;
}

function isUnseen({ answer }: RecordedKey): boolean {
  return answer.kind === 'failure' || (answer.kind === 'refused' && saysNothing(answer.status, 'refusal'));
}

/**
 * Judges refusals. Passes only when valid siblings got keys that look right: 64 hexadecimal characters, the same for the
 * same request and another for another one. A host that refuses everything proves nothing.
 */
export function judgeRejection(observations: readonly Recorded<Observation>[], row: RejectionRow): Judgement {
  const keys = keysOf(observations);
  const probes = keys.filter((asked) => asked.part === 'probe' && !isBlind(asked, keys));
  const evidence = keys.map(({ id }) => id);
  const inconclusive = (reason: string): Judgement => ({ check: row.check, verdict: 'inconclusive', reason, evidence });
  const failed = probes.filter((asked) => !isUnseen(asked) && row.wrong(asked));
  const [first] = failed;
  const sibling = unstable(keys) ?? oddKey(keys);
  if (first !== undefined && (sibling === undefined || first.answer.kind === 'key')) {
    const diagnosis = row.diagnose(first);
    return {
      check: row.check,
      verdict: 'fail',
      expected: row.expected,
      actual: failed.map(({ name, answer }) => `${name}: ${shownAnswer(answer)}`).join('; '),
      ...(diagnosis === undefined ? {} : { diagnosis }),
      evidence: failed.map(({ id }) => id),
    };
  }
  if (sibling !== undefined) return inconclusive(`valid requests do not get proper keys: ${sibling}`);
  const unseen = probes.find(isUnseen);
  const missing = cutShort(observations) ?? (unseen && `"${unseen.name}": ${shownAnswer(unseen.answer)}`);
  if (missing !== undefined) return inconclusive(missing);
  const advice = probes.flatMap((asked) => row.advise(asked) ?? []);
  return { check: row.check, verdict: 'pass', ...(advice.length === 0 ? {} : { reason: advice.join('; ') }), evidence };
}

/** Whether the host's key does not heed the field at all, so that a key for the probe says nothing about its value. */
function isBlind({ like }: RecordedKey, keys: readonly RecordedKey[]): boolean {
  const sibling = keys.find(({ name }) => name === like);
  const key = keyOf(sibling);
  return keys.some(
    (other) =>
      key !== undefined && other.part === 'control' && other.request !== sibling?.request && keyOf(other) === key,
  );
}

function oddKey(keys: readonly RecordedKey[]): string | undefined {
  const odd = keys.find(
    ({ part, answer }) => part === 'control' && answer.kind === 'key' && !/^[0-9a-f]{64}$/iu.test(answer.key),
  );
  return odd && `"${odd.name}" got ${shownAnswer(odd.answer)}`;
}
