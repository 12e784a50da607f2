import { diagnoseAnswers, type KeyAnswer } from './diagnose-answers.ts';

/** The object that a host really hashes. */
export type ObservedRecipe = 'rfc-0041' | 'rfc-0150' | 'null-form' | 'unknown';

/**
 * The recipe that a host follows, told from its keys and not from its advertisement, even where it makes further named
 * mistakes; `unknown` unless one computation accounts for more than half of the answers and for two different keys.
 */
export function observedRecipe(answers: readonly KeyAnswer[]): ObservedRecipe {
  const diagnosis = diagnoseAnswers(answers, 'rfc-0041');
  const explained = answers.filter(({ request, key }) => diagnosis.keyOf(request) === key);
  if (explained.length * 2 <= answers.length || new Set(explained.map(({ key }) => key)).size < 2) return 'unknown';
  if (diagnosis.kind !== 'explained') return 'rfc-0041';
  const { codes } = diagnosis.explanation;
  if (codes.includes('recipe-rfc-0150')) return 'rfc-0150';
  return codes.includes('recipe-null-form') ? 'null-form' : 'rfc-0041';
}
