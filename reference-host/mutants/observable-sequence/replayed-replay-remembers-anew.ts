import { recalling } from '../shared/recorded-acts.ts';
import type { Mutant } from '../mutant.ts';

export const replayedReplayRemembersAnew: Mutant = {
  id: 'replayed-replay-remembers-anew',
  breaks: 'A replay of a replay writes memories anew instead of showing the recorded ones.',
  kills: ['sequence.replay-of-replay'],
  parts: recalling('core.memory.write', (recorded, { ofFork }) => (ofFork ? undefined : recorded)),
};
