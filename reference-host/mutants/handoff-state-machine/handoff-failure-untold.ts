import { writingPhase } from '../shared/handoff-parts.ts';
import type { Mutant } from '../mutant.ts';

export const handoffFailureUntold: Mutant = {
  id: 'handoff-failure-untold',
  breaks: 'A failed dispatch is told nowhere.',
  kills: ['handoff.dispatch-failure'],
  parts: writingPhase('dispatch.failed', () => []),
};
