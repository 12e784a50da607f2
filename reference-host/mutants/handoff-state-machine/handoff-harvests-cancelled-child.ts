import { handingOver } from '../shared/handoff-parts.ts';
import type { Mutant } from '../mutant.ts';

export const handoffHarvestsCancelledChild: Mutant = {
  id: 'handoff-harvests-cancelled-child',
  breaks: 'A cancelled child is harvested.',
  kills: ['handoff.failed-child-skips-harvest.cancelled'],
  parts: handingOver(({ harvests }) => ({
    harvests: (status, mapping) => status === 'cancelled' || harvests(status, mapping),
  })),
};
