import { fail, pass, undecided, type Outcome } from '../../src/contract/outcome.ts';
import type { Diagnosis } from '../../src/contract/verdict.ts';
import { type Answers, choicesIn, gapIn, instabilityOf, keyFor, undecidedBy } from './answers.ts';
import type { RecordedKey } from './observation.ts';
import { PLAIN } from './requests.ts';

/** What an invariance row says for itself: `diagnose` names the cause when some variations changed the key. */
export interface InvarianceRow {
  readonly expected: string;
  readonly diagnose: (changed: readonly RecordedKey[], keys: readonly RecordedKey[]) => Diagnosis | undefined;
}

/**
 * Judges that no probe's variation changes the key of the plain request. Passes only when the plain request got the same
 * key twice and a change that matters got another one.
 */
export function judgeInvariance(answers: Answers, { expected, diagnose }: InvarianceRow): Outcome {
  const { keys } = answers;
  const instability = instabilityOf(keys);
  if (instability !== undefined) return undecidedBy(instability, keys);
  const plain = keyFor(keys, PLAIN);
  const probes = keys.filter(({ part }) => part === 'probe');
  const changed = probes.filter(({ answer }) => answer.kind === 'key' && answer.key !== plain);
  if (changed.length > 0) {
    const diagnosis = diagnose(changed, keys);
    const actual = `another key with ${changed.map(({ name }) => name).join(', ')}`;
    const mismatch = { expected, actual, ...(diagnosis === undefined ? {} : { diagnosis }) };
    return fail(mismatch, [...changed, ...keys.filter(({ name }) => name === PLAIN)]);
  }
  const gap = gapIn(answers, probes);
  return gap === undefined ? pass(keys, choicesIn(keys)) : undecided(gap, keys);
}
