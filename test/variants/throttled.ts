import type { Variant } from './variant.ts';
import { around } from './wire.ts';

function tooMany(): Response {
  const body = { error: 'rate_limited', message: 'Too many requests.' };
  return Response.json(body, { status: 429, headers: { 'retry-after': '0' } });
}

/** Now and then a request is turned away with 429 and may come again at once. */
export const throttled: Variant = {
  id: 'throttled',
  parts: () => {
    let requests = 0;
    return around(/^/, (request, next) => {
      requests += 1;
      return requests % 7 === 0 ? tooMany() : next(request);
    })();
  },
};
