import type { Mutant } from '../mutant.ts';
import { forking } from '../shared/fork-parts.ts';

export const forkFromSeqCoerced: Mutant = {
  id: 'fork-from-seq-coerced',
  breaks: 'A fromSeq that is a text is read as a number.',
  kills: ['fork.rejects-bad-from-seq'],
  parts: forking(({ body, send }) => {
    const fromSeq = body['fromSeq'];
    return typeof fromSeq === 'string' && fromSeq !== ''
      ? send({ body: { ...body, fromSeq: Number(fromSeq) } })
      : send();
  }),
};
