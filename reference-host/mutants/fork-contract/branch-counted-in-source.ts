import type { Mutant } from '../mutant.ts';
import { snapshotOnceForked } from '../shared/fork-parts.ts';

export const branchCountedInSource: Mutant = {
  id: 'branch-counted-in-source',
  breaks: 'A branch is counted in the metadata of its source.',
  kills: ['fork.source-untouched.branch'],
  parts: snapshotOnceForked(
    ({ body }, status) => status === 201 && body['mode'] === 'branch',
    (snapshot) => ({ ...snapshot, metadata: { forks: 1 } }),
  ),
};
