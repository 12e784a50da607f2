import type { Variant } from './variant.ts';
import { around, refused } from './wire.ts';

/** A run can be read as an event stream only: JSON is refused with 406 whatever else is accepted, and there is no poll endpoint. */
export const sseOnly: Variant = {
  id: 'sse-only',
  notApplicable: ['privacy.same-redaction.events', 'fork.invisible-run.poll', 'fork.invisible-run.poll.resumed'],
  parts: around(/\/events(\/poll)?$/, (request, next) => {
    if (request.url.includes('/poll')) return refused(404, 'not_found');
    const accept = request.headers.get('accept') ?? '*/*';
    return /^(?:text\/event-stream|\*\/\*)$/.test(accept) ? next(request) : refused(406, 'not_acceptable');
  }),
};
