import type { Mutant } from './mutant.ts';
import { advertising, REPLAY_DETERMINISM } from './shared/discovery-parts.ts';

export const discoveryReplayDeterminismAsFlag: Mutant = {
  id: 'discovery-replay-determinism-as-flag',
  breaks: 'replayDeterminism is true instead of a block.',
  kills: ['discovery.shape', 'discovery.replay-determinism', 'discovery.version-four-complete'],
  parts: advertising(REPLAY_DETERMINISM, () => true),
};
