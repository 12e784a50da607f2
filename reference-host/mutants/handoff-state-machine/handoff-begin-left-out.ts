import { writingPhase } from '../shared/handoff-parts.ts';
import type { Mutant } from '../mutant.ts';

export const handoffBeginLeftOut: Mutant = {
  id: 'handoff-begin-left-out',
  breaks: 'A handoff is told without dispatch.began.',
  kills: ['handoff.happy-path', 'handoff.causation-chain'],
  parts: writingPhase('dispatch.began', () => []),
};
