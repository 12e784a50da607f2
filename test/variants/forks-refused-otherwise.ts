import { isObject } from '../../reference-host/json.ts';
import { aroundForks } from './forks.ts';
import type { Variant } from './variant.ts';

/** Past the end is 400, a branch without fromSeq 422, and every refusal's details name the request too. */
export const forksRefusedOtherwise: Variant = {
  id: 'forks-refused-otherwise',
  parts: () => {
    let requests = 0;
    return aroundForks(async ({ body, send }) => {
      const response = await send();
      if (response.ok) return response;
      requests += 1;
      const refused: unknown = await response.json();
      const needsStart = body['mode'] === 'branch' && (body['fromSeq'] ?? null) === null;
      const status = needsStart ? 422 : response.status === 422 ? 400 : response.status;
      const reported = isObject(refused) && isObject(refused['details']) ? refused['details'] : {};
      const details = { ...reported, requestId: `req-${requests}` };
      return Response.json({ ...(isObject(refused) ? refused : {}), details }, { status });
    })();
  },
};
