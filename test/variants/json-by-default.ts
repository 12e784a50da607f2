import type { Variant } from './variant.ts';
import { acceptingJson, around } from './wire.ts';

/** The log is JSON unless an event stream is asked for. */
export const jsonByDefault: Variant = {
  id: 'json-by-default',
  parts: around(/\/events$/, (request, next) => {
    if (request.headers.get('accept')?.includes('event-stream') === true) return next(request);
    return next(acceptingJson(request));
  }),
};
