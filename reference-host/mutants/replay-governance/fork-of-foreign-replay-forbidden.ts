import type { Mutant } from '../mutant.ts';
import { refusal, respond } from '../../http/answers.ts';
import { isObject, stringMember } from '../../json.ts';
import { forking } from '../shared/fork-parts.ts';

export const forkOfForeignReplayForbidden: Mutant = {
  id: 'fork-of-foreign-replay-forbidden',
  breaks: "A fork of another tenant's replay is answered with 403.",
  kills: ['privacy.same-access-checks.indistinguishable'],
  parts: () => {
    const forks = new Set<string>();
    return forking(async ({ sourceRunId, send }) => {
      const response = await send();
      if (response.status === 404 && forks.has(sourceRunId)) {
        return respond(refusal(403, 'forbidden', 'The run belongs to another tenant.'));
      }
      const answer: unknown = response.status === 201 ? await response.clone().json() : undefined;
      const runId = isObject(answer) ? stringMember(answer, 'runId') : undefined;
      if (runId !== undefined) forks.add(runId);
      return response;
    })();
  },
};
