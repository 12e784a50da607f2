import type { Variant } from './variant.ts';
import { around } from './wire.ts';

/** Content types name their character set. */
export const charsetNamed: Variant = {
  id: 'charset-named',
  parts: around(/^/, async (request, next) => {
    const response = await next(request);
    const type = response.headers.get('content-type');
    if (type !== null) response.headers.set('content-type', `${type}; charset=UTF-8`);
    return response;
  }),
};
