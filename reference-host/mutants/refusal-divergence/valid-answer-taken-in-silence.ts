import type { Mutant } from '../mutant.ts';
import { goingOnWith } from '../shared/refusal-parts.ts';

export const validAnswerTakenInSilence: Mutant = {
  id: 'valid-answer-taken-in-silence',
  breaks: 'A replay whose source was refused completes with the answer that it gets now.',
  kills: [
    'refusal.refusal-to-valid',
    'refusal.distinct-event.refusal-to-valid',
    'refusal.no-silent-substitution.refusal-to-valid',
  ],
  parts: goingOnWith('valid'),
};
