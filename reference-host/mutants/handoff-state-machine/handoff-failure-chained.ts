import { writingPhase, told } from '../shared/handoff-parts.ts';
import type { Mutant } from '../mutant.ts';

export const handoffFailureChained: Mutant = {
  id: 'handoff-failure-chained',
  breaks: 'A failed dispatch is told as the dispatch and the failure of a child.',
  kills: ['handoff.dispatch-failure'],
  parts: writingPhase('dispatch.failed', (draft) => [
    told(draft, { phase: 'dispatch.succeeded' }),
    told(draft, { phase: 'child.failed' }),
  ]),
};
