import type { Variant } from './variant.ts';
import { around } from './wire.ts';

/** The stream knows no modes and shows everything, whatever mode a request names. */
export const streamModesIgnored: Variant = {
  id: 'stream-modes-ignored',
  parts: around(/\/events$/, ({ url, headers, signal }, next) => {
    const plain = new URL(url);
    plain.searchParams.delete('streamMode');
    return next(new Request(plain, { headers, signal }));
  }),
};
