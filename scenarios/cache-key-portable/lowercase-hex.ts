import { canonicalRecipe } from '../../src/contract/gates.ts';
import type { Judgement } from '../../src/contract/verdict.ts';
import { type Recorded, type RecipeName } from '../../src/runner/scenario.ts';
import { type Ask, askKeys, lineTo } from './ask.ts';
import { diagnosisOf } from './answers.ts';
import { after, before } from './invariance-asks.ts';
import { unstable } from './judge-invariance.ts';
import { type CacheKeyObservation, cutShort, keysOf, shownAnswer, shownKey } from './observation.ts';
import { controls } from './requests.ts';
import { seamRow } from './seam-row.ts';

const id = 'cache-key.lowercase-hex';
const title = 'A key is 64 lowercase hexadecimal characters';
const form = /^[0-9a-f]{64}$/u;
const asks: readonly Ask[] = [...before, ...controls.slice(1), ...after];

function judge(observations: readonly Recorded<CacheKeyObservation>[], recipe: RecipeName): Judgement {
  const keys = keysOf(observations);
  const evidence = keys.map(({ id: observation }) => observation);
  const wrong = keys.find(({ answer }) => answer.kind === 'key' && !form.test(answer.key));
  if (wrong?.answer.kind === 'key') {
    const diagnosis = diagnosisOf(keys, recipe);
    return {
      check: id,
      verdict: 'fail',
      expected: '64 characters of 0-9 and a-f',
      actual: `${shownKey(wrong.answer.key)} for "${wrong.name}"`,
      ...(diagnosis === undefined ? {} : { diagnosis }),
      evidence: [wrong.id],
    };
  }
  const without = keys.find(({ answer }) => answer.kind !== 'key');
  const reason =
    unstable(keys) ??
    cutShort(observations) ??
    (without && `"${without.name}" got no key: ${shownAnswer(without.answer)}`);
  return reason === undefined
    ? { check: id, verdict: 'pass', evidence }
    : { check: id, verdict: 'inconclusive', reason, evidence };
}

/** replay.md §B.4: SHA-256 in lowercase hex. */
export const lowercaseHex = seamRow({
  id,
  title,
  gate: canonicalRecipe,
  drive: (probe) => askKeys(lineTo(probe), asks),
  judge: (observations, { recipe }) => judge(observations, recipe),
});
