import type { Mutant } from './mutant.ts';
import { OFFLINE } from './shared/checks.ts';
import { projecting, taken } from './shared/key-parts.ts';

export const maxTokensIncluded: Mutant = {
  id: 'max-tokens-included',
  breaks: 'max_tokens enters the key.',
  kills: [...OFFLINE, 'cache-key.excludes-non-recipe-fields'],
  parts: projecting((projected, request) => ({ ...projected, ...taken(request, ['max_tokens']) })),
};
