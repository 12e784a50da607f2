import { member } from '../../reference-host/json.ts';
import type { Variant } from './variant.ts';
import { around, both, pollUrls, refused } from './wire.ts';

/** The poll endpoint says isTerminal, lastEventSeq and runStatus, and there is no stream. */
export const pollWithOlderNames: Variant = {
  id: 'poll-with-older-names',
  notApplicable: [
    'annotation.live',
    'replay.divergence-in-debug-stream',
    'privacy.same-redaction.streams',
    'fork.invisible-run.events',
    'run.stream-modes',
  ],
  parts: both(
    around(/\/events(\/poll)?$/, async (request, next) => {
      if (!request.url.includes('/poll')) return refused(404, 'not_found');
      const body: unknown = await (await next(request)).json();
      const events = member(body, 'events');
      const isTerminal = member(body, 'isComplete');
      if (!Array.isArray(events)) return Response.json(body, { status: 404 });
      const lastEventSeq: unknown = member(events.at(-1), 'sequence') ?? null;
      return Response.json({
        events,
        isTerminal,
        lastEventSeq,
        runStatus: isTerminal === true ? 'completed' : 'running',
      });
    }),
    pollUrls,
  ),
};
