import { refusal, respond } from '../../types/answers.ts';
import type { Defects } from '../mutant.ts';
import { answeringDiscovery } from '../shared/discovery-parts.ts';

const MOVED = '/v1/discovery';

/** How the discovery document is answered. */
export const defects: Defects = {
  'discovery-behind-credentials': {
    breaks: 'The discovery document is shown only to callers with a credential.',
    kills: ['discovery.reachable'],
    parts: answeringDiscovery((request, next) =>
      request.headers.has('authorization')
        ? next(request)
        : respond(refusal(401, 'unauthenticated', 'A valid bearer credential is needed.')),
    ),
  },
  'discovery-not-found': {
    breaks: 'The discovery document is not at its well-known path.',
    kills: ['discovery.reachable'],
    parts: answeringDiscovery(() => respond(refusal(404, 'not_found', 'There is nothing at this path.'))),
  },
  'discovery-redirected': {
    breaks: 'The well-known path redirects to the discovery document instead of answering with it.',
    kills: ['discovery.reachable'],
    parts: () => ({
      middleware: (next) => (request) => {
        const url = new URL(request.url);
        if (url.pathname === '/.well-known/openwop')
          return new Response(null, { status: 301, headers: { location: MOVED } });
        return next(url.pathname === MOVED ? new Request(new URL('/.well-known/openwop', url)) : request);
      },
    }),
  },
  'discovery-as-html': {
    breaks: 'The discovery document comes wrapped in a web page.',
    kills: ['discovery.reachable'],
    parts: answeringDiscovery(async (request, next) => {
      const document = await (await next(request)).text();
      return new Response(`<!doctype html><pre>${document}</pre>`, { headers: { 'content-type': 'text/html' } });
    }),
  },
  'discovery-as-list': {
    breaks: 'The discovery document is a JSON array.',
    kills: ['discovery.reachable'],
    parts: () => ({ discovery: (document) => [document] }),
  },
  'discovery-accepted-not-ok': {
    breaks: 'The discovery document is answered with 203 instead of 200.',
    kills: ['discovery.reachable'],
    parts: answeringDiscovery(async (request, next) => {
      const { body, headers } = await next(request);
      return new Response(body, { headers, status: 203 });
    }),
  },
};
