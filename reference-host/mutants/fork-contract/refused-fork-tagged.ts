import type { Mutant } from '../mutant.ts';
import { snapshotOnceForked } from '../shared/fork-parts.ts';

export const refusedForkTagged: Mutant = {
  id: 'refused-fork-tagged',
  breaks: 'A refused fork leaves a tag at its source.',
  kills: ['fork.source-untouched.refused'],
  parts: snapshotOnceForked(
    (_, status) => status === 422,
    (snapshot) => ({ ...snapshot, tags: ['fork-failed'] }),
  ),
};
