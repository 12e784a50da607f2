import type { Mutant } from '../mutant.ts';

export const prefixEventDropped: Mutant = {
  id: 'prefix-event-dropped',
  breaks: 'A replay inherits its history without the first event of a node.',
  kills: ['refusal.mid-graph', 'sequence.prefix-equal'],
  parts: ({ replay }) => ({
    replay: {
      ...replay,
      inherited: (history, { mode }) =>
        mode === 'replay'
          ? history.filter(
              ({ type }, index) =>
                type !== 'node.completed' || history.findIndex((each) => each.type === type) !== index,
            )
          : history,
    },
  }),
};
