import { handingOver } from '../shared/handoff-parts.ts';
import type { Mutant } from '../mutant.ts';

export const handoffInputMappingIgnored: Mutant = {
  id: 'handoff-input-mapping-ignored',
  breaks: 'A child is given nothing of its parent.',
  kills: ['handoff.output-mapping.relay'],
  parts: handingOver(() => ({ input: () => ({}) })),
};
