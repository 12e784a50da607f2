import type { Mutant } from '../mutant.ts';
import { forkAnswered, leftOut } from '../shared/fork-parts.ts';

export const forkWithoutSourceId: Mutant = {
  id: 'fork-without-source-id',
  breaks: 'The answer to a fork does not name its source.',
  kills: ['fork.created', 'fork.created.branch'],
  parts: forkAnswered((answer) => leftOut(answer, 'sourceRunId')),
};
