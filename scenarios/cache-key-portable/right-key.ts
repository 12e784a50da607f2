import { computeKey } from '../../src/cache-key/index.ts';
import type { RecipeName } from '../../src/runner/scenario.ts';

/** Requests whose keys are remembered: a run looks at each one twice, when it is answered and when it is judged. */
const REMEMBERED = 16_384;

const remembered = new Map<string, string | undefined>();

/** The key that the recipe gives for a request's text, or undefined where it has none; computed once. */
export function rightKeyOf(request: string, recipe: RecipeName): string | undefined {
  const name = `${recipe} ${request}`;
  if (remembered.has(name)) return remembered.get(name);
  const result = computeKey(request, recipe);
  const key = result.ok ? result.cacheKey : undefined;
  if (remembered.size >= REMEMBERED) remembered.clear();
  remembered.set(name, key);
  return key;
}
