import { computeKey } from './compute.ts';
import type { Recipe } from './recipe.ts';
import { remembering } from './remember.ts';

/** A run looks at each request several times: when it is answered, in its row, and when the recipe is told. */
const remembered = {
  'rfc-0041': remembering<string | undefined>(16_384),
  'rfc-0150': remembering<string | undefined>(16_384),
};

/** The key that the recipe gives for a request's text, or undefined where it has none; computed once. */
export function rightKeyOf(request: string, recipe: Recipe): string | undefined {
  return remembered[recipe](request, () => {
    const result = computeKey(request, recipe);
    return result.ok ? result.cacheKey : undefined;
  });
}
