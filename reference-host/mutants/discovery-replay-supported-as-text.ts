import type { Mutant } from './mutant.ts';
import { advertisingWith, REPLAY_DETERMINISM } from './shared/discovery-parts.ts';

export const discoveryReplaySupportedAsText: Mutant = {
  id: 'discovery-replay-supported-as-text',
  breaks: 'replayDeterminism.supported is the string "true".',
  kills: ['discovery.shape', 'discovery.replay-determinism', 'discovery.version-four-complete'],
  parts: advertisingWith(REPLAY_DETERMINISM, { supported: 'true' }),
};
