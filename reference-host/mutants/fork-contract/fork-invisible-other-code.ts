import type { Mutant } from '../mutant.ts';
import { refusal, respond } from '../../http/answers.ts';
import { forking } from '../shared/fork-parts.ts';
import { rememberingOwners } from '../shared/run-memory.ts';

export const forkInvisibleOtherCode: Mutant = {
  id: 'fork-invisible-other-code',
  breaks: "A fork of another tenant's run has an error code of its own.",
  kills: ['fork.invisible-run'],
  parts: () => {
    const owners = new Map<string, string>();
    const { forkEndpoint } = forking(async ({ sourceRunId, send }) => {
      const response = await send();
      if (response.status !== 404 || !owners.has(sourceRunId)) return response;
      return respond(refusal(404, 'run_not_yours', 'There is no such run.'));
    })();
    return { forkEndpoint, middleware: (next) => rememberingOwners(next, owners) };
  },
};
