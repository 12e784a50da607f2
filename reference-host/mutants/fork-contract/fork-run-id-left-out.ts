import type { Mutant } from '../mutant.ts';
import { forkAnswered, leftOut } from '../shared/fork-parts.ts';

export const forkRunIdLeftOut: Mutant = {
  id: 'fork-run-id-left-out',
  breaks: 'The answer to a fork names no run.',
  kills: ['fork.created', 'fork.created.branch'],
  parts: forkAnswered((answer) => leftOut(answer, 'runId')),
};
