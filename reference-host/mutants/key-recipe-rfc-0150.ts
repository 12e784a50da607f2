import type { Mutant } from './mutant.ts';
import { OFFLINE } from './shared/checks.ts';
import { projecting, without, taken } from './shared/key-parts.ts';

const ADDED = ['maxOutputTokens', 'seed', 'stop', 'safetySettings'];

export const keyRecipeRfc0150: Mutant = {
  id: 'key-recipe-rfc-0150',
  breaks: 'The recipe of the later RFC 0150 is followed under the name of this one.',
  kills: [...OFFLINE, 'cache-key.excludes-non-recipe-fields'],
  parts: projecting((projected, request) => ({
    recipe: 'openwop-semantic-request-v2',
    ...taken(projected, ['provider', 'model']),
    ...taken(request, ['providerOptions']),
    request: { ...without(projected, 'provider', 'model'), ...taken(request, ADDED) },
  })),
};
