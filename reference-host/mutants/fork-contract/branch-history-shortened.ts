import type { Mutant } from '../mutant.ts';

export const branchHistoryShortened: Mutant = {
  id: 'branch-history-shortened',
  breaks: 'A branch inherits fewer events than lie below its fork point, and executes the rest again.',
  kills: ['fork.branch-inherits-prefix'],
  parts: ({ replay }) => ({
    replay: {
      ...replay,
      inherited: (history, fork) => (fork.mode === 'branch' ? history.slice(0, 1) : replay.inherited(history, fork)),
    },
  }),
};
