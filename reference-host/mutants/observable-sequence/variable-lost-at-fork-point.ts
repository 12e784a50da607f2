import type { Mutant } from '../mutant.ts';

export const variableLostAtForkPoint: Mutant = {
  id: 'variable-lost-at-fork-point',
  breaks: 'A replay inherits its history without the variable that a node of it wrote.',
  kills: ['sequence.state-equal', 'sequence.prefix-equal'],
  parts: ({ replay }) => ({
    replay: {
      ...replay,
      inherited: (history, { mode }) =>
        mode === 'replay'
          ? history.filter(({ type, nodeId }) => type !== 'variable.changed' || nodeId !== 'remember')
          : history,
    },
  }),
};
