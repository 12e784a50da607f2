import type { Mutant } from '../mutant.ts';
import { forkRefused } from '../shared/fork-parts.ts';

export const forkUnknownRunGone: Mutant = {
  id: 'fork-unknown-run-gone',
  breaks: 'A fork of a run that there is not is answered with 410.',
  kills: ['fork.unknown-run'],
  parts: forkRefused((response) =>
    response.status === 404 ? new Response(response.body, { headers: response.headers, status: 410 }) : response,
  ),
};
