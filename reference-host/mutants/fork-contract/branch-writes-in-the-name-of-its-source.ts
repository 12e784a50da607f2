import type { Mutant } from '../mutant.ts';
import { forkAnswered } from '../shared/fork-parts.ts';

export const branchWritesInTheNameOfItsSource: Mutant = {
  id: 'branch-writes-in-the-name-of-its-source',
  breaks: 'The events of a branch carry the run id of its source.',
  kills: ['fork.branch-is-independent'],
  parts: (conformant) => {
    const sources = new Map<string, string>();
    return {
      ...forkAnswered((answer, { body, sourceRunId }) => {
        if (body['mode'] === 'branch') sources.set(String(answer['runId']), sourceRunId);
        return answer;
      })(conformant),
      eventOnWire: (event) => ({ ...event, runId: sources.get(event.runId) ?? event.runId }),
    };
  },
};
