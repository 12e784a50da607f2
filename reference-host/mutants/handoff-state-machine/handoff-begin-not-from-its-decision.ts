import { writingPhase } from '../shared/handoff-parts.ts';
import type { Mutant } from '../mutant.ts';

export const handoffBeginNotFromItsDecision: Mutant = {
  id: 'handoff-begin-not-from-its-decision',
  breaks: 'dispatch.began is caused by node.started, not by the decision.',
  kills: ['handoff.causation-chain'],
  parts: writingPhase('dispatch.began', (draft) => [
    { ...draft, causedBy: (event) => event.type === 'node.started' && event.nodeId === draft.nodeId },
  ]),
};
