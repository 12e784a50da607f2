import { member } from '../../json.ts';
import type { Mutant } from '../mutant.ts';

export const handoffChildLogNotFound: Mutant = {
  id: 'handoff-child-log-not-found',
  breaks: 'Dispatched runs can be read, but their logs cannot.',
  kills: ['handoff.child-is-a-run'],
  parts: () => ({
    middleware: (next) => async (request) => {
      const { origin, pathname } = new URL(request.url);
      const path = /^(\/v1\/runs\/[^/]+)\/events(\/poll)?$/.exec(pathname)?.[1];
      if (path === undefined) return next(request);
      const run = await next(new Request(`${origin}${path}`, { headers: request.headers }));
      const snapshot: unknown = await run.json();
      if (member(snapshot, 'parentNodeId') === undefined) return next(request);
      return Response.json({ error: 'not_found', message: 'There is no such run.' }, { status: 404 });
    },
  }),
};
