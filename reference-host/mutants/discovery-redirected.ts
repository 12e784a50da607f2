import type { Mutant } from './mutant.ts';

const MOVED = '/v1/discovery';

export const discoveryRedirected: Mutant = {
  id: 'discovery-redirected',
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
};
