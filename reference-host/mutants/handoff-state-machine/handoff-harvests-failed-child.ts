import { handingOver } from '../shared/handoff-parts.ts';
import type { Mutant } from '../mutant.ts';

export const handoffHarvestsFailedChild: Mutant = {
  id: 'handoff-harvests-failed-child',
  breaks: 'A failed child is harvested.',
  kills: ['handoff.failed-child-skips-harvest.failed'],
  parts: handingOver(({ harvests }) => ({
    harvests: (status, mapping) => status === 'failed' || harvests(status, mapping),
  })),
};
