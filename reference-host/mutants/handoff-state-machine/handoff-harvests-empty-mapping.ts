import { handingOver } from '../shared/handoff-parts.ts';
import type { Mutant } from '../mutant.ts';

export const handoffHarvestsEmptyMapping: Mutant = {
  id: 'handoff-harvests-empty-mapping',
  breaks: 'A completed child is harvested although its outputMapping is empty.',
  kills: ['handoff.harvest-exactly-when.unmapped'],
  parts: handingOver(() => ({ harvests: (status) => status === 'completed' })),
};
