import type { Mutant } from '../mutant.ts';

export const branchesInDefinitionOrder: Mutant = {
  id: 'branches-in-definition-order',
  breaks: 'A replay writes concurrent branches in the order of the definition.',
  kills: ['sequence.parallel-branches'],
  parts: ({ replay }) => ({ replay: { ...replay, order: () => 'definition' } }),
};
