import { writingPhase } from '../shared/handoff-parts.ts';
import type { Mutant } from '../mutant.ts';

export const handoffHarvestLeftOut: Mutant = {
  id: 'handoff-harvest-left-out',
  breaks: 'A harvest is made and not told.',
  kills: ['handoff.happy-path', 'handoff.harvest-exactly-when'],
  parts: writingPhase('output.harvested', () => []),
};
