import { member } from '../../reference-host/json.ts';
import type { Variant } from './variant.ts';
import { around, both, pollUrls, refused } from './wire.ts';

/** Events that one poll brings. */
const PAGE = 4;

/** The poll endpoint says isTerminal, lastEventSeq and runStatus, brings few events at a time, and there is no stream. */
export const pollWithOlderNames: Variant = {
  id: 'poll-with-older-names',
  notApplicable: [
    'annotation.live',
    'replay.divergence-in-debug-stream',
    'privacy.same-redaction.streams',
    'fork.invisible-run.events',
    'fork.invisible-run.events.resumed',
    'run.stream-modes',
  ],
  parts: both(
    around(/\/events(\/poll)?$/, async (request, next) => {
      if (!request.url.includes('/poll')) return refused(404, 'not_found');
      const body: unknown = await (await next(request)).json();
      const all = member(body, 'events');
      const isOver = member(body, 'isComplete') === true;
      if (!Array.isArray(all)) return Response.json(body, { status: 404 });
      const events: readonly unknown[] = all.slice(0, PAGE);
      const lastEventSeq: unknown = member(events.at(-1), 'sequence') ?? null;
      return Response.json({
        events,
        isTerminal: isOver && events.length === all.length,
        lastEventSeq,
        runStatus: isOver ? 'completed' : 'running',
      });
    }),
    pollUrls,
  ),
};
