import type { Mutant } from '../mutant.ts';
import { forkAnswered } from '../shared/fork-parts.ts';

export const branchesShareARun: Mutant = {
  id: 'branches-share-a-run',
  breaks: 'All branches of one run are one run.',
  kills: ['fork.branch-is-independent'],
  parts: (conformant) => {
    const branches = new Map<string, unknown>();
    return forkAnswered((answer, { body, sourceRunId }) => {
      if (body['mode'] !== 'branch') return answer;
      const runId = branches.get(sourceRunId) ?? answer['runId'];
      branches.set(sourceRunId, runId);
      return { ...answer, runId };
    })(conformant);
  },
};
