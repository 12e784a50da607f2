import type { Mutant } from './mutant.ts';
import { advertisingWith, REPLAY_DETERMINISM } from './shared/discovery-parts.ts';

export const discoveryVendorRecipeUndocumented: Mutant = {
  id: 'discovery-vendor-recipe-undocumented',
  breaks: 'A vendor recipe is advertised that the discovery document says nothing about.',
  kills: ['discovery.vendor-recipe-documented'],
  parts: advertisingWith(REPLAY_DETERMINISM, { llmCacheKeyRecipe: 'x-host-acme-prompt-hash' }),
};
