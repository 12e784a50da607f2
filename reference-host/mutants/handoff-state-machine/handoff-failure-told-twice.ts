import { writingPhase } from '../shared/handoff-parts.ts';
import type { Mutant } from '../mutant.ts';

export const handoffFailureToldTwice: Mutant = {
  id: 'handoff-failure-told-twice',
  breaks: 'A failed dispatch is told twice.',
  kills: ['handoff.dispatch-failure'],
  parts: writingPhase('dispatch.failed', (draft) => [draft, draft]),
};
