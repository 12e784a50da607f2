import type { Mutant } from '../mutant.ts';
import { forkRefused } from '../shared/fork-parts.ts';

export const forkRefusalAsText: Mutant = {
  id: 'fork-refusal-as-text',
  breaks: 'A refused fork is answered with plain text.',
  kills: [
    'fork.error-envelope',
    'fork.error-envelope.branch',
    'fork.error-envelope.scope',
    'fork.error-envelope.invisible',
    'retention.expired-range.envelope',
    'retention.expired-range.details',
    'privacy.deleted-data.canonical-error',
  ],
  parts: forkRefused((response) => new Response('Bad request', { status: response.status })),
};
