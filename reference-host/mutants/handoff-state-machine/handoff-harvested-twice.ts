import { writingPhase } from '../shared/handoff-parts.ts';
import type { Mutant } from '../mutant.ts';

export const handoffHarvestedTwice: Mutant = {
  id: 'handoff-harvested-twice',
  breaks: 'output.harvested is written twice.',
  kills: ['handoff.happy-path', 'handoff.harvest-exactly-when'],
  parts: writingPhase('output.harvested', (draft) => [draft, draft]),
};
