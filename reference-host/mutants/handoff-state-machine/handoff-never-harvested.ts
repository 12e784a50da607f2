import { handingOver } from '../shared/handoff-parts.ts';
import type { Mutant } from '../mutant.ts';

export const handoffNeverHarvested: Mutant = {
  id: 'handoff-never-harvested',
  breaks: 'Completed children are not harvested.',
  kills: ['handoff.happy-path', 'handoff.harvest-exactly-when', 'handoff.output-mapping'],
  parts: handingOver(() => ({ harvests: () => false })),
};
