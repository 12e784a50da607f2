import type { Mutant } from '../mutant.ts';
import { snapshotOnceForked } from '../shared/fork-parts.ts';

export const forkWithKeyChangesStatus: Mutant = {
  id: 'fork-with-key-changes-status',
  breaks: 'A fork under an Idempotency-Key opens its source again.',
  kills: ['fork.source-untouched.duplicates'],
  parts: snapshotOnceForked(
    ({ headers }) => headers.has('idempotency-key'),
    (snapshot) => ({ ...snapshot, status: 'running' }),
  ),
};
