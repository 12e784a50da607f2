import type { Mutant } from '../mutant.ts';
import { member } from '../../json.ts';
import { forking, logOf } from '../shared/fork-parts.ts';

export const replayDefaultAfterTheStart: Mutant = {
  id: 'replay-default-after-the-start',
  breaks: 'A replay without fromSeq starts at the second event.',
  kills: ['fork.replay-defaults-to-zero', 'retention.expired-range.default'],
  parts: forking(async (call) => {
    const { body, text, send } = call;
    if (text !== '{"mode":"replay"}') return send();
    return send({ body: { ...body, fromSeq: Number(member((await logOf(call))[1], 'sequence')) } });
  }),
};
