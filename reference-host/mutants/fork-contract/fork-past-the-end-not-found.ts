import type { Mutant } from '../mutant.ts';
import { forking } from '../shared/fork-parts.ts';

export const forkPastTheEndNotFound: Mutant = {
  id: 'fork-past-the-end-not-found',
  breaks: 'A fromSeq past the end is answered with 404.',
  kills: ['fork.rejects-absent-sequence'],
  parts: forking(async ({ send }) => {
    const response = await send();
    return response.status === 422 ? new Response(response.body, { headers: response.headers, status: 404 }) : response;
  }),
};
