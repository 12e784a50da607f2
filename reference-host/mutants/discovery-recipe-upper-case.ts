import type { Mutant } from './mutant.ts';
import { advertisingWith, REPLAY_DETERMINISM } from './shared/discovery-parts.ts';

export const discoveryRecipeUpperCase: Mutant = {
  id: 'discovery-recipe-upper-case',
  breaks: 'The name of the vendor recipe has upper-case letters.',
  kills: ['discovery.recipe-identifier'],
  parts: advertisingWith(REPLAY_DETERMINISM, { llmCacheKeyRecipe: 'x-host-Acme-Prompt' }),
};
