import { canonicalRecipe } from '../../src/contract/gates.ts';
import { fail, pass, type Outcome } from '../../src/contract/outcome.ts';
import type { RecipeName } from '../../src/runner/scenario.ts';
import { type Answers, diagnosisOf, instabilityOf, keyOf, leftByGap, undecidedBy } from './answers.ts';
import { type RecordedKey, shownAnswer } from './observation.ts';
import { after, before, controls } from './requests.ts';
import { keyScenario, sending } from './send.ts';
import { wrong as naming } from './diagnoses.ts';

/** Whether there was a cacheKey, of which nothing was kept but its length. */
function isTooLong({ answer }: RecordedKey): boolean {
  return answer.kind === 'no-key' && answer.characters !== undefined;
}

function judge(answers: Answers, recipe: RecipeName): Outcome {
  const { keys } = answers;
  const wrong = keys.find((each) => isTooLong(each) || !/^[0-9a-f]{64}$/u.test(keyOf(each) ?? '0'.repeat(64)));
  if (wrong !== undefined) {
    const diagnosis = diagnosisOf(keys, recipe) ?? naming('no-hexadecimal');
    const actual = `${shownAnswer(wrong.answer)} for "${wrong.name}"`;
    return fail({ expected: '64 characters of 0-9 and a-f', actual, diagnosis }, [wrong]);
  }
  const instability = instabilityOf(keys);
  if (instability !== undefined) return undecidedBy(instability, keys);
  return leftByGap(answers, keys) ?? pass(keys);
}

/** replay.md §B.4: SHA-256 in lowercase hex. */
export const lowercaseHex = keyScenario({
  id: 'cache-key.lowercase-hex',
  title: 'A key is 64 lowercase hexadecimal characters',
  gate: canonicalRecipe,
  drive: sending(() => [...before, ...controls.slice(1), ...after]),
  judge: (answers, { options: { recipe } }) => judge(answers, recipe),
});
