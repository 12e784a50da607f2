import type { Mutant } from '../mutant.ts';
import { forkRefused } from '../shared/fork-parts.ts';

export const forkRefusalNested: Mutant = {
  id: 'fork-refusal-nested',
  breaks: 'A refused fork nests the error code.',
  kills: [
    'fork.error-envelope',
    'fork.error-envelope.branch',
    'fork.error-envelope.scope',
    'fork.error-envelope.invisible',
    'retention.expired-range.envelope',
    'retention.expired-range.details',
    'privacy.deleted-data.canonical-error',
  ],
  parts: forkRefused(async (response) => {
    const { error, message } = Object(await response.json()) as { error: unknown; message: unknown };
    return Response.json({ error: { code: error, message } }, { status: response.status });
  }),
};
