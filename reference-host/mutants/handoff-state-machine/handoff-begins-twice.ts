import { writingPhase } from '../shared/handoff-parts.ts';
import type { Mutant } from '../mutant.ts';

export const handoffBeginsTwice: Mutant = {
  id: 'handoff-begins-twice',
  breaks: 'dispatch.began is written twice.',
  kills: ['handoff.happy-path', 'handoff.happy-path.two-workers'],
  parts: writingPhase('dispatch.began', (draft) => [draft, draft]),
};
