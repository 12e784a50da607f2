import type { Mutant } from './mutant.ts';
import { projecting, taken } from './shared/key-parts.ts';

export const streamIncluded: Mutant = {
  id: 'stream-included',
  breaks: 'stream enters the key.',
  kills: ['cache-key.reproducible-offline.golden', 'cache-key.excludes-non-recipe-fields'],
  parts: projecting((projected, request) => ({ ...projected, ...taken(request, ['stream']) })),
};
