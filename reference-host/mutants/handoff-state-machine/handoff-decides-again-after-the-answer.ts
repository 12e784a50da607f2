import { writingSteps } from '../shared/handoff-parts.ts';
import type { Mutant } from '../mutant.ts';

export const handoffDecidesAgainAfterTheAnswer: Mutant = {
  id: 'handoff-decides-again-after-the-answer',
  breaks: 'When somebody has answered, the decision that asked is made again.',
  kills: ['handoff.loop.clarify', 'handoff.loop.escalate'],
  parts: writingSteps(({ kind, drafts, earlier }) => {
    if (kind !== 'answered' || !drafts.some(({ type }) => type === 'interrupt.resolved')) return drafts;
    return [...drafts, ...earlier.filter(({ type }) => type === 'runOrchestrator.decided').slice(-1)];
  }),
};
