import type { Mutant } from '../mutant.ts';
import { refusal, respond } from '../../http/answers.ts';
import { forking } from '../shared/fork-parts.ts';
import { rememberingOwners } from '../shared/run-memory.ts';

export const forkInvisibleOtherMessage: Mutant = {
  id: 'fork-invisible-other-message',
  breaks: "A fork of another tenant's run has a message of its own.",
  kills: ['fork.invisible-run'],
  parts: () => {
    const owners = new Map<string, string>();
    const { forkEndpoint } = forking(async ({ sourceRunId, send }) => {
      const response = await send();
      if (response.status !== 404 || !owners.has(sourceRunId)) return response;
      return respond(refusal(404, 'run_not_found', 'There is no such run of yours.'));
    })();
    return { forkEndpoint, middleware: (next) => rememberingOwners(next, owners) };
  },
};
