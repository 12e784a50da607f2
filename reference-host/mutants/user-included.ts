import type { Mutant } from './mutant.ts';
import { projecting, taken } from './shared/key-parts.ts';

export const userIncluded: Mutant = {
  id: 'user-included',
  breaks: 'user enters the key.',
  kills: ['cache-key.reproducible-offline.golden', 'cache-key.excludes-non-recipe-fields'],
  parts: projecting((projected, request) => ({ ...projected, ...taken(request, ['user']) })),
};
