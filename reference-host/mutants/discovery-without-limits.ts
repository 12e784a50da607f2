import type { Mutant } from './mutant.ts';
import { advertising } from './shared/discovery-parts.ts';

export const discoveryWithoutLimits: Mutant = {
  id: 'discovery-without-limits',
  breaks: 'The required member limits is missing from the discovery document.',
  kills: ['discovery.shape'],
  parts: advertising(['limits'], () => undefined),
};
