import { member } from '../../json.ts';
import type { Mutant } from '../mutant.ts';

export const handoffReplayDispatchesAgain: Mutant = {
  id: 'handoff-replay-dispatches-again',
  breaks: 'A replay dispatches the workers of its source again.',
  kills: ['handoff.replays'],
  parts: ({ replay }) => ({
    replay: {
      ...replay,
      observation: (recorded, act) =>
        act.mode === 'replay' && String(member(act.request, 'kind')).startsWith('core.dispatch.')
          ? undefined
          : replay.observation(recorded, act),
    },
  }),
};
