import { writingSteps } from '../shared/handoff-parts.ts';
import type { Mutant } from '../mutant.ts';

export const handoffValuesAfterTheDecision: Mutant = {
  id: 'handoff-values-after-the-decision',
  breaks: 'Harvested values are written after the next decision.',
  kills: ['handoff.output-mapping'],
  parts: writingSteps(({ kind, drafts, earlier }) => {
    if (kind === 'output.harvested') return drafts.filter(({ type }) => type !== 'variable.changed');
    if (kind !== 'decided') return drafts;
    const before = earlier.findLastIndex(({ type }) => type === 'runOrchestrator.decided');
    return [...drafts, ...earlier.slice(before).filter(({ type }) => type === 'variable.changed')];
  }),
};
