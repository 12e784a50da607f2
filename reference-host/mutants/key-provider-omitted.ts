import type { Mutant } from './mutant.ts';
import { OFFLINE } from './shared/checks.ts';
import { projecting, without } from './shared/key-parts.ts';

export const keyProviderOmitted: Mutant = {
  id: 'key-provider-omitted',
  breaks: 'The provider is left out of the key.',
  kills: [...OFFLINE, 'cache-key.includes-recipe-fields'],
  parts: projecting((projected) => without(projected, 'provider')),
};
