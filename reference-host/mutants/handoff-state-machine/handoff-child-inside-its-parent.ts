import { writingPhase } from '../shared/handoff-parts.ts';
import type { Mutant } from '../mutant.ts';

export const handoffChildInsideItsParent: Mutant = {
  id: 'handoff-child-inside-its-parent',
  breaks: "What a child does is written into its parent's log.",
  kills: ['handoff.child-is-a-run'],
  parts: writingPhase('dispatch.succeeded', (draft) => [
    draft,
    { type: 'node.started', nodeId: 'work', payload: { typeId: 'core.noop' } },
  ]),
};
