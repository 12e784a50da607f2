import { writingPhase } from '../shared/handoff-parts.ts';
import type { Mutant } from '../mutant.ts';

export const handoffFailureFromItsDecision: Mutant = {
  id: 'handoff-failure-from-its-decision',
  breaks: 'dispatch.failed is caused by the decision, not by its dispatch.began.',
  kills: ['handoff.causation-chain.dispatch-failed'],
  parts: writingPhase('dispatch.failed', (draft) => [
    { ...draft, causedBy: ({ type }) => type === 'runOrchestrator.decided' },
  ]),
};
