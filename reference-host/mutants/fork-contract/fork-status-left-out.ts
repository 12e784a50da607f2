import type { Mutant } from '../mutant.ts';
import { forkAnswered, leftOut } from '../shared/fork-parts.ts';

export const forkStatusLeftOut: Mutant = {
  id: 'fork-status-left-out',
  breaks: 'The answer to a fork has no status.',
  kills: ['fork.created', 'fork.created.branch'],
  parts: forkAnswered((answer) => leftOut(answer, 'status')),
};
