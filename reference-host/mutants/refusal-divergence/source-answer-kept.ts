import type { Mutant } from '../mutant.ts';
import { BOTH_CONTRACTS } from '../shared/refusal-parts.ts';

export const sourceAnswerKept: Mutant = {
  id: 'source-answer-kept',
  breaks: 'A replay that met the other kind of envelope goes on with the one of its source.',
  kills: [...BOTH_CONTRACTS, 'refusal.no-silent-substitution.valid-to-refusal'],
  parts: ({ refusal }) => ({ refusal: { ...refusal, onDivergence: () => 'take source' } }),
};
