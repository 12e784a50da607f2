import type { Mutant } from '../mutant.ts';
import { forking, withCredential } from '../shared/fork-parts.ts';
import { rememberingOwners } from '../shared/run-memory.ts';

export const forkScopeNotNeeded: Mutant = {
  id: 'fork-scope-not-needed',
  breaks: 'A fork needs no scope.',
  kills: ['fork.requires-credentials.scope'],
  parts: () => {
    const owners = new Map<string, string>();
    const { forkEndpoint } = forking(async ({ sourceRunId, headers, send }) => {
      const response = await send();
      const owner = owners.get(sourceRunId);
      if (response.status !== 403 || owner === undefined) return response;
      return send({ headers: withCredential(headers, owner) });
    })();
    return { forkEndpoint, middleware: (next) => rememberingOwners(next, owners) };
  },
};
