import type { Mutant } from '../mutant.ts';
import { forking } from '../shared/fork-parts.ts';

export const forkOkNotCreated: Mutant = {
  id: 'fork-ok-not-created',
  breaks: 'A fork is answered with 200.',
  kills: ['fork.created', 'fork.created.branch'],
  parts: forking(async ({ send }) => {
    const response = await send();
    return response.status === 201 ? new Response(response.body, { headers: response.headers }) : response;
  }),
};
