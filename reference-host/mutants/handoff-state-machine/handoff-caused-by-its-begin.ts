import { writingSteps, phaseOf } from '../shared/handoff-parts.ts';
import type { Mutant } from '../mutant.ts';

export const handoffCausedByItsBegin: Mutant = {
  id: 'handoff-caused-by-its-begin',
  breaks: 'Every transition of a handoff is caused by its dispatch.began.',
  kills: ['handoff.causation-chain'],
  parts: writingSteps(({ kind, drafts }) =>
    kind === 'dispatch.began'
      ? drafts
      : drafts.map((draft) =>
          phaseOf(draft) === undefined
            ? draft
            : { ...draft, causedBy: (event) => phaseOf(event) === 'dispatch.began' && event.nodeId === draft.nodeId },
        ),
  ),
};
