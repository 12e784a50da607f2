import { aroundForks } from './forks.ts';
import { refused } from './wire.ts';
import type { Variant } from './variant.ts';

/** A duplicate of a fork in flight is 409, a later one is answered with 200. */
export const forksConflictInFlight: Variant = {
  id: 'forks-conflict-in-flight',
  parts: () => {
    const inFlight = new Set<string>();
    return aroundForks(async ({ request, send }) => {
      const key = request.headers.get('idempotency-key');
      if (key === null) return send();
      if (inFlight.has(key)) return refused(409, 'fork_in_flight');
      inFlight.add(key);
      const response = await send();
      inFlight.delete(key);
      if (response.headers.get('openwop-idempotent-replay') === null) return response;
      return new Response(response.body, { headers: response.headers, status: 200 });
    })();
  },
};
