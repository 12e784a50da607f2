import type { Mutant } from './mutant.ts';
import { advertisingWith } from './shared/discovery-parts.ts';

export const discoveryModesAsText: Mutant = {
  id: 'discovery-modes-as-text',
  breaks: 'The replay modes are one string instead of a list.',
  kills: ['discovery.shape'],
  parts: advertisingWith(['replay'], { modes: 'replay' }),
};
