import type { Mutant } from './mutant.ts';
import { advertising, REPLAY_DETERMINISM } from './shared/discovery-parts.ts';

export const discoveryWithoutReplayDeterminism: Mutant = {
  id: 'discovery-without-replay-determinism',
  breaks: 'Version 4 is advertised without the replayDeterminism block.',
  kills: ['discovery.version-four-complete'],
  parts: advertising(REPLAY_DETERMINISM, () => undefined),
};
