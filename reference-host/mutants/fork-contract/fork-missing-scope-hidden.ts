import type { Mutant } from '../mutant.ts';
import { forkRefused } from '../shared/fork-parts.ts';

export const forkMissingScopeHidden: Mutant = {
  id: 'fork-missing-scope-hidden',
  breaks: 'A fork under a credential without the scope is answered with 404.',
  kills: ['fork.requires-credentials.scope'],
  parts: forkRefused((response) =>
    response.status === 403 ? new Response(response.body, { headers: response.headers, status: 404 }) : response,
  ),
};
