import type { Variant } from './variant.ts';
import { acceptingJson, around, refused } from './wire.ts';

/** The log is JSON even where an event stream is asked for, and there is no poll endpoint. */
export const jsonLogOnly: Variant = {
  id: 'json-log-only',
  notApplicable: ['annotation.live', 'fork.invisible-run.poll', 'fork.invisible-run.poll.resumed'],
  parts: around(/\/events(\/poll)?$/, (request, next) => {
    if (request.url.includes('/poll')) return refused(404, 'not_found');
    return next(acceptingJson(request));
  }),
};
