import type { Mutant } from '../mutant.ts';
import { goingOnWith } from '../shared/refusal-parts.ts';

export const refusalTakenInSilence: Mutant = {
  id: 'refusal-taken-in-silence',
  breaks: 'A replay that is refused fails as a live run does, without a word about the divergence.',
  kills: ['refusal.valid-to-refusal', 'refusal.distinct-event.valid-to-refusal'],
  parts: goingOnWith('refusal'),
};
