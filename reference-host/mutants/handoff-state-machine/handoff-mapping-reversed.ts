import { handingOver } from '../shared/handoff-parts.ts';
import type { Mutant } from '../mutant.ts';

export const handoffMappingReversed: Mutant = {
  id: 'handoff-mapping-reversed',
  breaks: "outputMapping is read the wrong way round: the parent's name is looked up in the child.",
  kills: ['handoff.output-mapping', 'handoff.output-mapping.relay'],
  parts: handingOver(({ output }) => ({
    output: (mapping, child) =>
      output(Object.fromEntries(Object.entries(mapping).map(([to, from]) => [String(from), to])), child),
  })),
};
