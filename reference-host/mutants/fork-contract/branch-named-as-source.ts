import type { Mutant } from '../mutant.ts';
import { forkAnswered } from '../shared/fork-parts.ts';

export const branchNamedAsSource: Mutant = {
  id: 'branch-named-as-source',
  breaks: 'The answer to a branch gives the id of its source as that of the new run.',
  kills: ['fork.created.branch', 'fork.branch-is-independent'],
  parts: forkAnswered((answer, { body, sourceRunId }) =>
    body['mode'] === 'branch' ? { ...answer, runId: sourceRunId } : answer,
  ),
};
