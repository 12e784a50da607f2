import type { Mutant } from './mutant.ts';
import { refusal, respond } from '../http/answers.ts';
import { answeringDiscovery } from './shared/discovery-parts.ts';

export const discoveryNotFound: Mutant = {
  id: 'discovery-not-found',
  breaks: 'The discovery document is not at its well-known path.',
  kills: ['discovery.reachable'],
  parts: answeringDiscovery(() => respond(refusal(404, 'not_found', 'There is nothing at this path.'))),
};
