import type { Mutant } from './mutant.ts';
import { OFFLINE } from './shared/checks.ts';
import { projecting, taken } from './shared/key-parts.ts';

export const stopIncluded: Mutant = {
  id: 'stop-included',
  breaks: 'stop enters the key.',
  kills: [...OFFLINE, 'cache-key.excludes-non-recipe-fields'],
  parts: projecting((projected, request) => ({ ...projected, ...taken(request, ['stop']) })),
};
