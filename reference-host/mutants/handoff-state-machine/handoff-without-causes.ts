import { CHAIN } from '../shared/handoff-parts.ts';
import type { Mutant } from '../mutant.ts';

export const handoffWithoutCauses: Mutant = {
  id: 'handoff-without-causes',
  breaks: 'Transitions have no causationId.',
  kills: ['handoff.causation-chain', 'handoff.causation-chain.two-workers'],
  parts: () => ({
    eventOnWire: (event) => {
      const { causationId: _, ...rest } = event;
      return event.type === CHAIN ? rest : event;
    },
  }),
};
