import type { Mutant } from './mutant.ts';
import { advertising, REPLAY_DETERMINISM } from './shared/discovery-parts.ts';

export const discoveryWithoutRecipe: Mutant = {
  id: 'discovery-without-recipe',
  breaks: 'Version 4 is advertised without a cache-key recipe.',
  kills: ['discovery.version-four-complete'],
  parts: advertising([...REPLAY_DETERMINISM, 'llmCacheKeyRecipe'], () => undefined),
};
