import { writingPhase } from '../shared/handoff-parts.ts';
import type { Mutant } from '../mutant.ts';

export const handoffSuccessLeftOut: Mutant = {
  id: 'handoff-success-left-out',
  breaks: 'A handoff is told without dispatch.succeeded.',
  kills: ['handoff.happy-path'],
  parts: writingPhase('dispatch.succeeded', () => []),
};
