import type { Mutant } from './mutant.ts';
import { OFFLINE } from './shared/checks.ts';
import { sha256 } from './shared/key-parts.ts';

export const rawBodyHashed: Mutant = {
  id: 'raw-body-hashed',
  breaks: 'The body is hashed as it came.',
  kills: [
    ...OFFLINE,
    'cache-key.excludes-non-recipe-fields',
    'cache-key.canonical-tool-schema',
    'cache-key.jcs-key-order',
    'cache-key.jcs-numbers',
    'cache-key.sorts-tools',
  ],
  parts: () => ({ cacheKey: ({ rawText }) => sha256(rawText) }),
};
