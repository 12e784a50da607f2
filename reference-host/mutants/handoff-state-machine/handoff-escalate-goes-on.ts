import { handingOver } from '../shared/handoff-parts.ts';
import type { Mutant } from '../mutant.ts';

export const handoffEscalateGoesOn: Mutant = {
  id: 'handoff-escalate-goes-on',
  breaks: 'A decision to escalate does not suspend the run.',
  kills: ['handoff.loop.escalate'],
  parts: handingOver(() => ({ asks: ({ kind }) => kind === 'clarify' })),
};
