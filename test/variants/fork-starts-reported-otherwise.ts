import { isObject } from '../../reference-host/json.ts';
import { aroundForks } from './forks.ts';
import type { Variant } from './variant.ts';

/** Events are numbered from 1, a replay without fromSeq says that it starts there, and fromSeq null is refused. */
export const forkStartsReportedOtherwise: Variant = {
  id: 'fork-starts-reported-otherwise',
  parts: () => ({
    ...aroundForks(async ({ body, send }) => {
      if (body['fromSeq'] === null) {
        return Response.json({ error: 'validation_error', message: 'fromSeq is null.' }, { status: 400 });
      }
      const response = await send();
      if (!response.ok) return response;
      const answer: unknown = await response.json();
      const changed = isObject(answer) && answer['fromSeq'] === 0 ? { ...answer, fromSeq: 1 } : answer;
      return Response.json(changed, { status: response.status, headers: response.headers });
    })(),
    firstSequence: 1,
  }),
};
