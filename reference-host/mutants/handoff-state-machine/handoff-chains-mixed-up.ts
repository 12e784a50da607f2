import { member } from '../../json.ts';
import { writingPhase, phaseOf } from '../shared/handoff-parts.ts';
import type { Mutant } from '../mutant.ts';

export const handoffChainsMixedUp: Mutant = {
  id: 'handoff-chains-mixed-up',
  breaks: 'The success of a second worker is caused by the begin of the first one.',
  kills: ['handoff.causation-chain.two-workers'],
  parts: writingPhase('dispatch.succeeded', (draft, { turn, earlier }) => {
    const decision = earlier.findLastIndex(({ type }) => type === 'runOrchestrator.decided');
    const first = earlier.slice(decision).find((each) => phaseOf(each) === 'dispatch.began');
    const workerId = member(first?.payload, 'workerId');
    if (turn === 0 && workerId === member(draft.payload, 'workerId')) return [draft];
    return [
      {
        ...draft,
        causedBy: (event) => phaseOf(event) === 'dispatch.began' && member(event.payload, 'workerId') === workerId,
      },
    ];
  }),
};
