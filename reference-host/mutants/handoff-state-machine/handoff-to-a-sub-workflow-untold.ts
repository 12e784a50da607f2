import { CHAIN, writingSteps } from '../shared/handoff-parts.ts';
import type { Mutant } from '../mutant.ts';

export const handoffToASubWorkflowUntold: Mutant = {
  id: 'handoff-to-a-sub-workflow-untold',
  breaks: 'core.subWorkflow tells no transitions.',
  kills: ['handoff.happy-path.sub-workflow'],
  parts: writingSteps(({ kind, drafts, earlier }) => {
    const isDecided = kind === 'decided' || earlier.some(({ type }) => type === 'runOrchestrator.decided');
    return isDecided ? drafts : drafts.filter(({ type }) => type !== CHAIN);
  }),
};
