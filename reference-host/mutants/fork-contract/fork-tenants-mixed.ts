import type { Mutant } from '../mutant.ts';
import { forking, withCredential } from '../shared/fork-parts.ts';
import { rememberingOwners } from '../shared/run-memory.ts';

export const forkTenantsMixed: Mutant = {
  id: 'fork-tenants-mixed',
  breaks: "Another tenant's run can be forked.",
  kills: ['fork.invisible-run'],
  parts: () => {
    const owners = new Map<string, string>();
    const { forkEndpoint } = forking(async ({ sourceRunId, headers, send }) => {
      const response = await send();
      const owner = owners.get(sourceRunId);
      if (response.status !== 404 || owner === undefined) return response;
      return send({ headers: withCredential(headers, owner) });
    })();
    return { forkEndpoint, middleware: (next) => rememberingOwners(next, owners) };
  },
};
