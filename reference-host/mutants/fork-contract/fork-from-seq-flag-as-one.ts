import type { Mutant } from '../mutant.ts';
import { forking } from '../shared/fork-parts.ts';

export const forkFromSeqFlagAsOne: Mutant = {
  id: 'fork-from-seq-flag-as-one',
  breaks: 'A fromSeq of true counts as 1.',
  kills: ['fork.rejects-bad-from-seq'],
  parts: forking(({ body, send }) => {
    const fromSeq = body['fromSeq'];
    return typeof fromSeq === 'boolean' ? send({ body: { ...body, fromSeq: Number(fromSeq) } }) : send();
  }),
};
