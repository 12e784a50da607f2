import type { Mutant } from '../mutant.ts';
import { forking } from '../shared/fork-parts.ts';

export const forkFromSeqOfOtherTypesIgnored: Mutant = {
  id: 'fork-from-seq-of-other-types-ignored',
  breaks: 'A fromSeq that is a list or an object is ignored.',
  kills: ['fork.rejects-bad-from-seq'],
  parts: forking(({ body, send }) => {
    const fromSeq = body['fromSeq'];
    return typeof fromSeq === 'object' && fromSeq !== null ? send({ body: { ...body, fromSeq: undefined } }) : send();
  }),
};
