import { setTimeout as delay } from 'node:timers/promises';
import type { Variant } from './variant.ts';
import { around } from './wire.ts';

/** Every answer takes its time. */
export const slow: Variant = {
  id: 'slow',
  parts: around(/^/, async (request, next) => {
    await delay(10);
    return next(request);
  }),
};
