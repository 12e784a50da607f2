import type { Mutant } from './mutant.ts';
import { advertising, REPLAY_DETERMINISM } from './shared/discovery-parts.ts';

export const discoveryReplaySupportedMissing: Mutant = {
  id: 'discovery-replay-supported-missing',
  breaks: 'replayDeterminism.supported is missing.',
  kills: ['discovery.shape', 'discovery.replay-determinism', 'discovery.version-four-complete'],
  parts: advertising([...REPLAY_DETERMINISM, 'supported'], () => undefined),
};
