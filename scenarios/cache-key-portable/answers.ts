import { diagnoseAnswers, type KeyAnswer } from '../../src/cache-key/index.ts';
import type { Diagnosis } from '../../src/contract/verdict.ts';
import type { RecipeName } from '../../src/runner/scenario.ts';
import type { RecordedKey } from './observation.ts';

/** The observations that hold a key, as the diagnosis reads them. */
export function keyAnswers(keys: readonly RecordedKey[]): readonly KeyAnswer[] {
  return keys.flatMap(({ name, request, answer }) =>
    answer.kind === 'key' ? [{ name, request, key: answer.key }] : [],
  );
}

/** The wrong rules that account for these keys, or undefined where none do or nothing is wrong. */
export function diagnosisOf(keys: readonly RecordedKey[], recipe: RecipeName): Diagnosis | undefined {
  const diagnosis = diagnoseAnswers(keyAnswers(keys), recipe);
  if (diagnosis.kind !== 'explained') return undefined;
  const { codes, message } = diagnosis.explanation;
  return { code: codes.join('+'), message };
}
