import type { Mutant } from '../mutant.ts';

export const variableLostAtForkPoint: Mutant = {
  id: 'variable-lost-at-fork-point',
  breaks: 'A replay inherits its history without changes of variables.',
  kills: ['sequence.state-equal', 'sequence.prefix-equal'],
  parts: ({ replay }) => ({
    replay: {
      ...replay,
      inherited: (history, { mode }) =>
        mode === 'replay' ? history.filter(({ type }) => type !== 'variable.changed') : history,
    },
  }),
};
