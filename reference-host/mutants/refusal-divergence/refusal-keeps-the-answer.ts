import type { Mutant } from '../mutant.ts';
import { raising } from '../shared/refusal-parts.ts';

export const refusalKeepsTheAnswer: Mutant = {
  id: 'refusal-keeps-the-answer',
  breaks: 'The snapshot of a replay that was refused holds the answer of its source.',
  kills: ['refusal.no-silent-substitution.valid-to-refusal'],
  parts: raising((raised, { source }) => {
    const kept = source().find(({ type, nodeId }) => type === 'variable.changed' && nodeId === raised.nodeId);
    return kept === undefined ? [raised] : [{ type: 'variable.changed', payload: kept.payload }, raised];
  }),
};
