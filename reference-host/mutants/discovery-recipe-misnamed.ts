import type { Mutant } from './mutant.ts';
import { advertisingWith, REPLAY_DETERMINISM } from './shared/discovery-parts.ts';

export const discoveryRecipeMisnamed: Mutant = {
  id: 'discovery-recipe-misnamed',
  breaks: 'The cache-key recipe has a name of no known form.',
  kills: ['discovery.recipe-identifier'],
  parts: advertisingWith(REPLAY_DETERMINISM, { llmCacheKeyRecipe: 'rfc-0041' }),
};
