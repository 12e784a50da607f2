import type { Mutant } from '../mutant.ts';
import { refusal, respond } from '../../http/answers.ts';
import { forking } from '../shared/fork-parts.ts';
import { rememberingOwners } from '../shared/run-memory.ts';

export const forkInvisibleWithDetails: Mutant = {
  id: 'fork-invisible-with-details',
  breaks: "A fork of another tenant's run is answered with details.",
  kills: ['fork.invisible-run'],
  parts: () => {
    const owners = new Map<string, string>();
    const { forkEndpoint } = forking(async ({ sourceRunId, send }) => {
      const response = await send();
      if (response.status !== 404 || !owners.has(sourceRunId)) return response;
      return respond(refusal(404, 'run_not_found', 'There is no such run.', { sourceRunId }));
    })();
    return { forkEndpoint, middleware: (next) => rememberingOwners(next, owners) };
  },
};
