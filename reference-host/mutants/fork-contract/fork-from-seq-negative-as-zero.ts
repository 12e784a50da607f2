import type { Mutant } from '../mutant.ts';
import { forking } from '../shared/fork-parts.ts';

export const forkFromSeqNegativeAsZero: Mutant = {
  id: 'fork-from-seq-negative-as-zero',
  breaks: 'A negative fromSeq counts as 0.',
  kills: ['fork.rejects-bad-from-seq'],
  parts: forking(({ body, send }) => {
    const fromSeq = body['fromSeq'];
    return typeof fromSeq === 'number' && fromSeq < 0 ? send({ body: { ...body, fromSeq: 0 } }) : send();
  }),
};
