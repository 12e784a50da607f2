import type { Mutant } from '../mutant.ts';

export const channelLostAtForkPoint: Mutant = {
  id: 'channel-lost-at-fork-point',
  breaks: 'A replay inherits its history without what was written to channels.',
  kills: ['sequence.state-equal', 'sequence.prefix-equal'],
  parts: ({ replay }) => ({
    replay: {
      ...replay,
      inherited: (history, { mode }) =>
        mode === 'replay' ? history.filter(({ type }) => type !== 'channel.written') : history,
    },
  }),
};
