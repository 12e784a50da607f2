import type { Mutant } from '../mutant.ts';
import { forkAnswered } from '../shared/fork-parts.ts';

export const branchChangesItsSibling: Mutant = {
  id: 'branch-changes-its-sibling',
  breaks: 'A branch changes the log of the branch that was made before it.',
  kills: ['fork.branch-is-independent'],
  parts: (conformant) => {
    const siblings = new Map<string, string>();
    const changed = new Set<string>();
    return {
      ...forkAnswered((answer, { body, sourceRunId }) => {
        if (body['mode'] !== 'branch') return answer;
        const sibling = siblings.get(sourceRunId);
        if (sibling !== undefined) changed.add(sibling);
        siblings.set(sourceRunId, String(answer['runId']));
        return answer;
      })(conformant),
      eventOnWire: (event) =>
        changed.has(event.runId) ? { ...event, payload: { ...Object(event.payload), superseded: true } } : event,
    };
  },
};
