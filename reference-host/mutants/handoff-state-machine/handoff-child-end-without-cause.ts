import { phaseOf } from '../shared/handoff-parts.ts';
import type { Mutant } from '../mutant.ts';

export const handoffChildEndWithoutCause: Mutant = {
  id: 'handoff-child-end-without-cause',
  breaks: 'child.failed and child.cancelled have no causationId.',
  kills: ['handoff.causation-chain.failed', 'handoff.causation-chain.cancelled'],
  parts: () => ({
    eventOnWire: (event) => {
      const { causationId: _, ...rest } = event;
      return ['child.failed', 'child.cancelled'].includes(phaseOf(event) ?? '') ? rest : event;
    },
  }),
};
