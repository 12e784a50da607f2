import type { Mutant } from './mutant.ts';
import { OFFLINE } from './shared/checks.ts';
import { projecting, taken } from './shared/key-parts.ts';

export const keyExtraFieldIncluded: Mutant = {
  id: 'key-extra-field-included',
  breaks: 'seed, a field outside the recipe, enters the key.',
  kills: [...OFFLINE, 'cache-key.excludes-non-recipe-fields'],
  parts: projecting((projected, request) => ({ ...projected, ...taken(request, ['seed']) })),
};
