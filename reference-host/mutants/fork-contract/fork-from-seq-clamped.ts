import type { Mutant } from '../mutant.ts';
import { member } from '../../json.ts';
import { forking, logOf } from '../shared/fork-parts.ts';

export const forkFromSeqClamped: Mutant = {
  id: 'fork-from-seq-clamped',
  breaks: 'A fromSeq past the end counts as the last event.',
  kills: ['fork.rejects-absent-sequence'],
  parts: forking(async (call) => {
    const { body, send } = call;
    const fromSeq = body['fromSeq'];
    const last = Number(member((await logOf(call)).at(-1), 'sequence'));
    return Number.isSafeInteger(fromSeq) && Number(fromSeq) > last
      ? send({ body: { ...body, fromSeq: last } })
      : send();
  }),
};
