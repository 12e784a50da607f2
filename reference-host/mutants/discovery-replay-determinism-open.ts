import type { Mutant } from './mutant.ts';
import { advertisingWith, REPLAY_DETERMINISM } from './shared/discovery-parts.ts';

export const discoveryReplayDeterminismOpen: Mutant = {
  id: 'discovery-replay-determinism-open',
  breaks: 'replayDeterminism has a member that does not belong to the closed block.',
  kills: ['discovery.shape', 'discovery.replay-determinism'],
  parts: advertisingWith(REPLAY_DETERMINISM, { cacheTtlSeconds: 3600 }),
};
