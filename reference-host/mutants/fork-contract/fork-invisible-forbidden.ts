import type { Mutant } from '../mutant.ts';
import { refusal, respond } from '../../http/answers.ts';
import { forking } from '../shared/fork-parts.ts';
import { rememberingOwners } from '../shared/run-memory.ts';

export const forkInvisibleForbidden: Mutant = {
  id: 'fork-invisible-forbidden',
  breaks: "A fork of another tenant's run is answered with 403.",
  kills: ['fork.invisible-run'],
  parts: () => {
    const owners = new Map<string, string>();
    const { forkEndpoint } = forking(async ({ sourceRunId, send }) => {
      const response = await send();
      if (response.status !== 404 || !owners.has(sourceRunId)) return response;
      return respond(refusal(403, 'forbidden', 'The run belongs to another tenant.'));
    })();
    return { forkEndpoint, middleware: (next) => rememberingOwners(next, owners) };
  },
};
