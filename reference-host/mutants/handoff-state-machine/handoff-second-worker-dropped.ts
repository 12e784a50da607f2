import { handingOver } from '../shared/handoff-parts.ts';
import type { Mutant } from '../mutant.ts';

export const handoffSecondWorkerDropped: Mutant = {
  id: 'handoff-second-worker-dropped',
  breaks: 'Of the workers that a decision names only the first is dispatched.',
  kills: ['handoff.happy-path.two-workers'],
  parts: handingOver(({ turns }) => ({
    turns: (plan) =>
      turns(plan).map((decision) =>
        decision.nextWorkerIds === undefined
          ? decision
          : { ...decision, nextWorkerIds: decision.nextWorkerIds.slice(0, 1) },
      ),
  })),
};
