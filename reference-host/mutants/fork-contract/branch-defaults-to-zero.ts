import type { Mutant } from '../mutant.ts';
import { forking } from '../shared/fork-parts.ts';

export const branchDefaultsToZero: Mutant = {
  id: 'branch-defaults-to-zero',
  breaks: 'A branch without fromSeq starts at 0.',
  kills: ['fork.branch-needs-from-seq'],
  parts: forking(({ body, send }) => {
    const start = body['fromSeq'] ?? 0;
    return body['mode'] === 'branch' ? send({ body: { ...body, fromSeq: start } }) : send();
  }),
};
