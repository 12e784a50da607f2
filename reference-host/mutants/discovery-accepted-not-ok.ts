import type { Mutant } from './mutant.ts';
import { answeringDiscovery } from './shared/discovery-parts.ts';

export const discoveryAcceptedNotOk: Mutant = {
  id: 'discovery-accepted-not-ok',
  breaks: 'The discovery document is answered with 203 instead of 200.',
  kills: ['discovery.reachable'],
  parts: answeringDiscovery(async (request, next) => {
    const { body, headers } = await next(request);
    return new Response(body, { headers, status: 203 });
  }),
};
