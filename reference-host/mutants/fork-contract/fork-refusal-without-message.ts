import type { Mutant } from '../mutant.ts';
import { member } from '../../json.ts';
import { forkRefused } from '../shared/fork-parts.ts';

export const forkRefusalWithoutMessage: Mutant = {
  id: 'fork-refusal-without-message',
  breaks: 'A refused fork has no message.',
  kills: [
    'fork.error-envelope',
    'fork.error-envelope.branch',
    'fork.error-envelope.scope',
    'fork.error-envelope.invisible',
    'retention.expired-range.envelope',
    'retention.expired-range.details',
    'privacy.deleted-data.canonical-error',
  ],
  parts: forkRefused(async (response) =>
    Response.json({ error: member(await response.json(), 'error') }, { status: response.status }),
  ),
};
