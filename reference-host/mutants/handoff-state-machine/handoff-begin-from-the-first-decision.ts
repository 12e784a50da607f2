import { isDeepStrictEqual } from 'node:util';
import { writingPhase } from '../shared/handoff-parts.ts';
import type { Mutant } from '../mutant.ts';

export const handoffBeginFromTheFirstDecision: Mutant = {
  id: 'handoff-begin-from-the-first-decision',
  breaks: 'The dispatch.began of every turn is caused by the first decision of the run.',
  kills: ['handoff.causation-chain.turns'],
  parts: writingPhase('dispatch.began', (draft, { earlier }) => {
    const first = earlier.find(({ type }) => type === 'runOrchestrator.decided');
    if (first === undefined) return [draft];
    return [
      {
        ...draft,
        causedBy: ({ type, payload }) => type === first.type && isDeepStrictEqual(payload, first.payload),
      },
    ];
  }),
};
