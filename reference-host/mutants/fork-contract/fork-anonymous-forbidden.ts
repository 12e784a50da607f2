import type { Mutant } from '../mutant.ts';
import { forkRefused } from '../shared/fork-parts.ts';

export const forkAnonymousForbidden: Mutant = {
  id: 'fork-anonymous-forbidden',
  breaks: 'A fork without a credential is answered with 403.',
  kills: ['fork.requires-credentials'],
  parts: forkRefused((response) =>
    response.status === 401 ? new Response(response.body, { headers: response.headers, status: 403 }) : response,
  ),
};
