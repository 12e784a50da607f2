import type { Variant } from './variant.ts';
import { around } from './wire.ts';

function tooMany(headers: Readonly<Record<string, string>>): Response {
  return Response.json({ error: 'rate_limited', message: 'Too many requests.' }, { status: 429, headers });
}

/** Now and then a request is turned away with 429 and may come again at once, which the host does not always say. */
export const throttled: Variant = {
  id: 'throttled',
  parts: () => {
    let requests = 0;
    return around(/^/, (request, next) => {
      requests += 1;
      if (requests % 7 !== 0) return next(request);
      return tooMany(requests % 2 === 0 ? { 'retry-after': '0' } : {});
    })();
  },
};
