import type { Mutant } from './mutant.ts';
import { advertisingWith, REPLAY_DETERMINISM } from './shared/discovery-parts.ts';

export const discoveryRecipeNotText: Mutant = {
  id: 'discovery-recipe-not-text',
  breaks: 'The cache-key recipe is a number.',
  kills: [
    'discovery.shape',
    'discovery.replay-determinism',
    'discovery.recipe-identifier',
    'discovery.version-four-complete',
  ],
  parts: advertisingWith(REPLAY_DETERMINISM, { llmCacheKeyRecipe: 41 }),
};
