import type { Mutant } from './mutant.ts';
import { advertising, REPLAY_DETERMINISM } from './shared/discovery-parts.ts';

export const discoveryWithoutRefusalEmission: Mutant = {
  id: 'discovery-without-refusal-emission',
  breaks: 'Version 4 is advertised without refusalDivergenceEmission.',
  kills: ['discovery.version-four-complete'],
  parts: advertising([...REPLAY_DETERMINISM, 'refusalDivergenceEmission'], () => undefined),
};
