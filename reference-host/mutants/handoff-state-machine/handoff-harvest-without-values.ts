import { writingSteps } from '../shared/handoff-parts.ts';
import type { Mutant } from '../mutant.ts';

export const handoffHarvestWithoutValues: Mutant = {
  id: 'handoff-harvest-without-values',
  breaks: 'A harvest is told, and no variable is written.',
  kills: ['handoff.output-mapping', 'handoff.output-mapping.relay'],
  parts: writingSteps(({ kind, drafts }) =>
    kind === 'output.harvested' ? drafts.filter(({ type }) => type !== 'variable.changed') : drafts,
  ),
};
