import { member } from '../../json.ts';
import type { Mutant } from '../mutant.ts';

export const handoffChildNotFound: Mutant = {
  id: 'handoff-child-not-found',
  breaks: 'Dispatched runs cannot be read.',
  kills: ['handoff.child-is-a-run'],
  parts: () => ({
    middleware: (next) => async (request) => {
      const response = await next(request);
      const isRun = request.method === 'GET' && /^\/v1\/runs\/[^/]+$/.test(new URL(request.url).pathname);
      if (!isRun || !isDispatched(await response.clone().json())) return response;
      return Response.json({ error: 'not_found', message: 'There is no such run.' }, { status: 404 });
    },
  }),
};

function isDispatched(snapshot: unknown): boolean {
  return member(snapshot, 'parentNodeId') !== undefined;
}
