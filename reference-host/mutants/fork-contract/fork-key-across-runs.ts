import type { Mutant } from '../mutant.ts';
import { forking } from '../shared/fork-parts.ts';

export const forkKeyAcrossRuns: Mutant = {
  id: 'fork-key-across-runs',
  breaks: "A fork under the Idempotency-Key of another run's fork is answered with that fork.",
  kills: ['fork.idempotency-key'],
  parts: () => {
    const forks = new Map<string, { readonly of: string; readonly answer: unknown }>();
    return forking(async ({ sourceRunId, headers, send }) => {
      const key = headers.get('idempotency-key') ?? '';
      const stored = forks.get(key);
      if (stored !== undefined && stored.of !== sourceRunId) return Response.json(stored.answer, { status: 201 });
      const response = await send();
      if (key === '' || response.status !== 201) return response;
      const answer: unknown = await response.clone().json();
      forks.set(key, { of: sourceRunId, answer });
      return response;
    })();
  },
};
