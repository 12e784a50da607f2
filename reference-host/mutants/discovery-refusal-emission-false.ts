import type { Mutant } from './mutant.ts';
import { advertisingWith, REPLAY_DETERMINISM } from './shared/discovery-parts.ts';

export const discoveryRefusalEmissionFalse: Mutant = {
  id: 'discovery-refusal-emission-false',
  breaks: 'Version 4 is advertised with refusalDivergenceEmission false.',
  kills: ['discovery.version-four-complete'],
  parts: advertisingWith(REPLAY_DETERMINISM, { refusalDivergenceEmission: false }),
};
