import type { Mutant } from './mutant.ts';
import { advertisingWith, REPLAY_DETERMINISM } from './shared/discovery-parts.ts';

export const discoveryReplayUnsupported: Mutant = {
  id: 'discovery-replay-unsupported',
  breaks: 'Version 4 is advertised although replayDeterminism.supported is false.',
  kills: ['discovery.version-four-complete'],
  parts: advertisingWith(REPLAY_DETERMINISM, { supported: false }),
};
