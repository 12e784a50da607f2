import type { Mutant } from './mutant.ts';
import { OFFLINE } from './shared/checks.ts';
import { sha256 } from './shared/key-parts.ts';

export const sameKeyForEverything: Mutant = {
  id: 'same-key-for-everything',
  breaks: 'Every request gets the same key.',
  kills: [...OFFLINE, 'cache-key.includes-recipe-fields'],
  parts: () => ({ cacheKey: () => sha256('everything') }),
};
