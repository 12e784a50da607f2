import { handingOver } from '../shared/handoff-parts.ts';
import type { Mutant } from '../mutant.ts';

export const handoffGoesOnAfterTerminate: Mutant = {
  id: 'handoff-goes-on-after-terminate',
  breaks: 'Another worker is dispatched after the decision to terminate.',
  kills: ['handoff.loop', 'handoff.happy-path'],
  parts: handingOver(({ turns }) => ({
    turns: (plan) => {
      const taken = turns(plan);
      return [...taken, ...taken.filter(({ kind }) => kind === 'next-worker')];
    },
  })),
};
