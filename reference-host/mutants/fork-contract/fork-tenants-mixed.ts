import type { Mutant } from '../mutant.ts';
import { forking, withCredential } from '../shared/fork-parts.ts';
import { rememberingOwners } from '../shared/run-memory.ts';

export const forkTenantsMixed: Mutant = {
  id: 'fork-tenants-mixed',
  breaks: "Another tenant's run can be forked.",
  kills: ['fork.invisible-run'],
  parts: (conformant) => {
    const owners = new Map<string, string>();
    const { middleware = conformant.middleware } = forking(async ({ sourceRunId, headers, send }) => {
      const response = await send();
      const owner = owners.get(sourceRunId);
      if (response.status !== 404 || owner === undefined) return response;
      return send({ headers: withCredential(headers, owner) });
    })(conformant);
    return { middleware: (next) => rememberingOwners(middleware(next), owners) };
  },
};
