import type { Mutant } from '../mutant.ts';
import { forkRefused } from '../shared/fork-parts.ts';

export const forkUnknownRunBadRequest: Mutant = {
  id: 'fork-unknown-run-bad-request',
  breaks: 'A fork of a run that there is not is answered with 400.',
  kills: ['fork.unknown-run'],
  parts: forkRefused((response) =>
    response.status === 404 ? new Response(response.body, { headers: response.headers, status: 400 }) : response,
  ),
};
