import { writingPhase, told } from '../shared/handoff-parts.ts';
import type { Mutant } from '../mutant.ts';

export const handoffFailedChildCompleted: Mutant = {
  id: 'handoff-failed-child-completed',
  breaks: 'A failed child is told as completed.',
  kills: ['handoff.failed-child-skips-harvest.failed'],
  parts: writingPhase('child.failed', (draft) => [told(draft, { phase: 'child.completed' })]),
};
