import type { Mutant } from '../mutant.ts';
import { forking } from '../shared/fork-parts.ts';

export const forkFromSeqFloored: Mutant = {
  id: 'fork-from-seq-floored',
  breaks: 'A fractional fromSeq is rounded down.',
  kills: ['fork.rejects-bad-from-seq'],
  parts: forking(({ body, send }) => {
    const fromSeq = body['fromSeq'];
    return typeof fromSeq === 'number' && !Number.isInteger(fromSeq)
      ? send({ body: { ...body, fromSeq: Math.floor(fromSeq) } })
      : send();
  }),
};
