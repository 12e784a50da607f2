import type { Diagnosis, Judgement } from '../../src/contract/verdict.ts';
import type { Observation } from '../../src/evidence/types.ts';
import type { Recorded } from '../../src/runner/scenario.ts';
import { tellEithers } from './either.ts';
import { cutShort, keysOf, type RecordedKey, shownAnswer, shownKey } from './observation.ts';

/** The names by which an invariance row's observations are known. */
export const base = 'plain';
export const baseAgain = 'plain again';
export const twin = 'another model';

/** What an invariance row says for itself: `diagnose` names the cause when some variations changed the key. */
export interface InvarianceRow {
  readonly check: string;
  readonly expected: string;
  readonly diagnose: (changed: readonly RecordedKey[], keys: readonly RecordedKey[]) => Diagnosis | undefined;
}

/**
 * Whether a string can be a digest in some notation. A seam that echoes its input, or says something else, is no host whose
 * keys could be compared; a vendor recipe may still choose its own notation.
 */
export function looksLikeKey(key: string): boolean {
  return /^[\w+/=:.-]{8,200}\s*$/u.test(key);
}

/** Why nothing can be said about variations: no key at all, another key each time, or one key for everything. */
export function unstable(keys: readonly RecordedKey[]): string | undefined {
  const named = (name: string): RecordedKey | undefined => keys.find((each) => each.name === name);
  const [first, again, other] = [named(base), named(baseAgain), named(twin)];
  for (const asked of [first, again, other]) {
    if (asked === undefined) return 'the plain requests were not all sent';
    if (asked.answer.kind !== 'key') {
      return `the plain request "${asked.name}" got no key: ${shownAnswer(asked.answer)}`;
    }
    if (!looksLikeKey(asked.answer.key)) return `${shownKey(asked.answer.key)} does not look like a key`;
  }
  if (keyOf(first) !== keyOf(again)) return 'the same plain request gets another key each time';
  return keyOf(first) === keyOf(other) ? 'the key is the same for another model' : undefined;
}

/** An observation's key, or undefined. */
export function keyOf(observation: RecordedKey | undefined): string | undefined {
  return observation?.answer.kind === 'key' ? observation.answer.key : undefined;
}

/**
 * Judges that no probe's variation changes the key of the plain request. Passes only when the plain request got the same
 * key twice and a change that matters got another one.
 */
export function judgeInvariance(observations: readonly Recorded<Observation>[], row: InvarianceRow): Judgement {
  const keys = keysOf(observations);
  const evidence = keys.map(({ id }) => id);
  const inconclusive = (reason: string): Judgement => ({ check: row.check, verdict: 'inconclusive', reason, evidence });
  const why = unstable(keys);
  if (why !== undefined) return inconclusive(why);
  const plain = keyOf(keys.find(({ name }) => name === base));
  const probes = keys.filter(({ part }) => part === 'probe');
  const changed = probes.filter(({ answer }) => answer.kind === 'key' && answer.key !== plain);
  if (changed.length > 0) return failure(changed, keys, row);
  const without = probes.find(({ answer }) => answer.kind !== 'key');
  const missing = cutShort(observations) ?? (without && `"${without.name}" got no key: ${shownAnswer(without.answer)}`);
  if (missing !== undefined) return inconclusive(missing);
  const told = tellEithers(keys);
  return { check: row.check, verdict: 'pass', ...(told.length === 0 ? {} : { reason: told.join('; ') }), evidence };
}

function failure(changed: readonly RecordedKey[], keys: readonly RecordedKey[], row: InvarianceRow): Judgement {
  const plain = keys.filter(({ name }) => name === base);
  const diagnosis = row.diagnose(changed, keys);
  return {
    check: row.check,
    verdict: 'fail',
    expected: row.expected,
    actual: `another key with ${changed.map(({ name }) => name).join(', ')}`,
    ...(diagnosis === undefined ? {} : { diagnosis }),
    evidence: [...changed, ...plain].map(({ id }) => id),
  };
}
