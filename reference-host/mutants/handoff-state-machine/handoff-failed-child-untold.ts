import { writingPhase } from '../shared/handoff-parts.ts';
import type { Mutant } from '../mutant.ts';

export const handoffFailedChildUntold: Mutant = {
  id: 'handoff-failed-child-untold',
  breaks: 'A failed child is told nowhere.',
  kills: ['handoff.failed-child-skips-harvest.failed'],
  parts: writingPhase('child.failed', () => []),
};
