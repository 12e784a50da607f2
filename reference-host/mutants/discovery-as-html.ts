import type { Mutant } from './mutant.ts';
import { answeringDiscovery } from './shared/discovery-parts.ts';

export const discoveryAsHtml: Mutant = {
  id: 'discovery-as-html',
  breaks: 'The discovery document comes wrapped in a web page.',
  kills: ['discovery.reachable'],
  parts: answeringDiscovery(async (request, next) => {
    const document = await (await next(request)).text();
    return new Response(`<!doctype html><pre>${document}</pre>`, { headers: { 'content-type': 'text/html' } });
  }),
};
