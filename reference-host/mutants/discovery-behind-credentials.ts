import type { Mutant } from './mutant.ts';
import { refusal, respond } from '../http/answers.ts';
import { answeringDiscovery } from './shared/discovery-parts.ts';

export const discoveryBehindCredentials: Mutant = {
  id: 'discovery-behind-credentials',
  breaks: 'The discovery document is shown only to callers with a credential.',
  kills: ['discovery.reachable'],
  parts: answeringDiscovery((request, next) =>
    request.headers.has('authorization')
      ? next(request)
      : respond(refusal(401, 'unauthenticated', 'A valid bearer credential is needed.')),
  ),
};
