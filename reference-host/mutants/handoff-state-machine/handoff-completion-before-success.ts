import { writingSteps, phaseOf } from '../shared/handoff-parts.ts';
import type { Mutant } from '../mutant.ts';

export const handoffCompletionBeforeSuccess: Mutant = {
  id: 'handoff-completion-before-success',
  breaks: "A child's completion is told before its dispatch.",
  kills: ['handoff.happy-path'],
  parts: writingSteps(({ kind, drafts, earlier }) => {
    if (kind === 'dispatch.succeeded') return drafts.filter((draft) => phaseOf(draft) === undefined);
    if (kind !== 'child.ended') return drafts;
    const succeeded = earlier.findLast((draft) => phaseOf(draft) === 'dispatch.succeeded');
    return succeeded === undefined ? drafts : [...drafts, succeeded];
  }),
};
