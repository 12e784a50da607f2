import type { Mutant } from '../mutant.ts';
import { forkRefused } from '../shared/fork-parts.ts';

export const forkRefusalWithRequestId: Mutant = {
  id: 'fork-refusal-with-request-id',
  breaks: 'A refused fork has a member requestId beside the envelope.',
  kills: [
    'fork.error-envelope',
    'fork.error-envelope.branch',
    'fork.error-envelope.scope',
    'fork.error-envelope.invisible',
    'retention.expired-range.envelope',
    'privacy.deleted-data.canonical-error',
  ],
  parts: forkRefused(async (response) =>
    Response.json({ ...Object(await response.json()), requestId: 'r-1' }, { status: response.status }),
  ),
};
