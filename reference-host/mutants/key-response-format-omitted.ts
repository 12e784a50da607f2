import type { Mutant } from './mutant.ts';
import { OFFLINE } from './shared/checks.ts';
import { projecting, without } from './shared/key-parts.ts';

export const keyResponseFormatOmitted: Mutant = {
  id: 'key-response-format-omitted',
  breaks: 'responseFormat is left out of the key.',
  kills: [...OFFLINE, 'cache-key.includes-recipe-fields'],
  parts: projecting((projected) => without(projected, 'responseFormat')),
};
