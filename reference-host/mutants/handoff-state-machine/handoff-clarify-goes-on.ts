import { handingOver } from '../shared/handoff-parts.ts';
import type { Mutant } from '../mutant.ts';

export const handoffClarifyGoesOn: Mutant = {
  id: 'handoff-clarify-goes-on',
  breaks: 'A decision to clarify does not suspend the run.',
  kills: ['handoff.loop.clarify'],
  parts: handingOver(() => ({ asks: ({ kind }) => kind === 'escalate' })),
};
