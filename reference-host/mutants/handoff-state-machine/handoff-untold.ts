import { CHAIN, writingSteps } from '../shared/handoff-parts.ts';
import type { Mutant } from '../mutant.ts';

export const handoffUntold: Mutant = {
  id: 'handoff-untold',
  breaks: 'A host that supports the execution model tells no transition of its handoffs.',
  kills: [
    'handoff.happy-path',
    'handoff.happy-path.two-workers',
    'handoff.happy-path.nested',
    'handoff.happy-path.sub-workflow',
    'handoff.dispatch-failure',
  ],
  parts: writingSteps(({ drafts }) => drafts.filter(({ type }) => type !== CHAIN)),
};
