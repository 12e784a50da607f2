import { candidateKey, rightCandidate, simplicity } from './candidate.ts';
import { readRequest } from './compute.ts';
import { explain, type Explanation } from './explanation.ts';
import type { Recipe } from './recipe.ts';
import { withOneRule, withTwoRules } from './search.ts';
import { bounded, KEPT, SEARCH_OF_ONE, spend } from './work.ts';

/** An explanation of one key; `digest` is the key that the wrong rules give, equal to the one that was asked about. */
export type KeyExplanation = Explanation & { readonly digest: string };

/**
 * The combinations of wrong rules that turn this request into exactly this key, the likeliest first: fewer rules before
 * more, then the catalogue's order. Empty where the key is right, where nothing in the catalogue gives it, and where the
 * request cannot be read; undefined where a large request ends the search before that is known.
 */
export function diagnoseKey(requestText: string, key: string, recipe: Recipe): readonly KeyExplanation[] | undefined {
  return bounded(SEARCH_OF_ONE, () => search(requestText, key, recipe));
}

function search(requestText: string, key: string, recipe: Recipe): readonly KeyExplanation[] {
  spend(KEPT * requestText.length);
  const read = readRequest(requestText);
  const right = rightCandidate(recipe);
  if (!read.ok || candidateKey(right, read.request) === key) return [];
  const given = { request: read.request, key };
  const single = [...withOneRule(right, given, recipe)];
  const found = single.length > 0 ? single : withTwoRules(right, given, recipe);
  const byWords = new Map<string, KeyExplanation>();
  for (const candidate of found.toSorted(simplicity)) {
    const explanation = explain(candidate);
    if (!byWords.has(explanation.message)) byWords.set(explanation.message, { ...explanation, digest: key });
  }
  return [...byWords.values()];
}
