import type { Mutant } from '../mutant.ts';

export const branchesReversed: Mutant = {
  id: 'branches-reversed',
  breaks: 'A replay writes concurrent branches in the reverse of the definition.',
  kills: ['sequence.parallel-branches'],
  parts: ({ replay }) => ({ replay: { ...replay, order: () => 'reversed' } }),
};
