import { writingSteps } from '../shared/handoff-parts.ts';
import type { Mutant } from '../mutant.ts';

export const handoffDecisionsUntold: Mutant = {
  id: 'handoff-decisions-untold',
  breaks: 'Supervisors decide and do not tell it.',
  kills: ['handoff.loop', 'handoff.loop.turns', 'handoff.causation-chain'],
  parts: writingSteps(({ kind, drafts }) => (kind === 'decided' ? [] : drafts)),
};
