import { writingPhase, told } from '../shared/handoff-parts.ts';
import type { Mutant } from '../mutant.ts';

export const handoffFailureThenSuccess: Mutant = {
  id: 'handoff-failure-then-success',
  breaks: 'A failed dispatch is followed by dispatch.succeeded.',
  kills: ['handoff.dispatch-failure'],
  parts: writingPhase('dispatch.failed', (draft) => [draft, told(draft, { phase: 'dispatch.succeeded' })]),
};
