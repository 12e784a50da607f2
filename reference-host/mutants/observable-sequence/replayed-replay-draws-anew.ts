import { recalling } from '../shared/recorded-acts.ts';
import type { Mutant } from '../mutant.ts';

export const replayedReplayDrawsAnew: Mutant = {
  id: 'replayed-replay-draws-anew',
  breaks: 'A replay of a replay draws random numbers anew instead of showing the recorded ones.',
  kills: ['sequence.replay-of-replay'],
  parts: recalling('core.random', (recorded, { ofFork }) => (ofFork ? undefined : recorded)),
};
