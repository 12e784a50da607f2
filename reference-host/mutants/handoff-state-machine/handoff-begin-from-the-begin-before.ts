import { member } from '../../json.ts';
import { writingPhase, phaseOf } from '../shared/handoff-parts.ts';
import type { Mutant } from '../mutant.ts';

export const handoffBeginFromTheBeginBefore: Mutant = {
  id: 'handoff-begin-from-the-begin-before',
  breaks:
    'The dispatch.began of a later worker is caused by the dispatch.began of another one, whose handoff goes on behind it.',
  kills: ['handoff.causation-chain.two-workers'],
  parts: writingPhase('dispatch.began', (draft) => [
    {
      ...draft,
      ...(isSecond(draft.payload) ? { causedBy: (event) => phaseOf(event) === 'dispatch.began' } : {}),
    },
  ]),
};

function isSecond(payload: unknown): boolean {
  return member(payload, 'workerId') === 'conformance-determinism-handoff-echo';
}
