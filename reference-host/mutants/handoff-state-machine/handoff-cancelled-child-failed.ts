import { writingPhase, told } from '../shared/handoff-parts.ts';
import type { Mutant } from '../mutant.ts';

export const handoffCancelledChildFailed: Mutant = {
  id: 'handoff-cancelled-child-failed',
  breaks: 'A cancelled child is told as failed.',
  kills: ['handoff.failed-child-skips-harvest.cancelled'],
  parts: writingPhase('child.cancelled', (draft) => [told(draft, { phase: 'child.failed' })]),
};
