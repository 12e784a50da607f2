import type { Mutant } from './mutant.ts';
import { advertisingWith } from './shared/discovery-parts.ts';

export const discoveryLimitAsText: Mutant = {
  id: 'discovery-limit-as-text',
  breaks: 'A limit of the discovery document is a string instead of an integer.',
  kills: ['discovery.shape'],
  parts: advertisingWith(['limits'], { schemaRounds: '1' }),
};
