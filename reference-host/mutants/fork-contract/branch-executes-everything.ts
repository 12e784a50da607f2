import type { Mutant } from '../mutant.ts';
import { member } from '../../json.ts';
import { forking, logOf } from '../shared/fork-parts.ts';

export const branchExecutesEverything: Mutant = {
  id: 'branch-executes-everything',
  breaks: 'A branch executes everything again, with the overlay.',
  kills: [
    'fork.branch-applies-overlay',
    'fork.branch-applies-overlay.projected-state',
    'fork.branch-inherits-prefix',
    'retention.expired-range.branch',
  ],
  parts: forking(async (call) => {
    const { body, send } = call;
    const { fromSeq } = body;
    if (body['mode'] !== 'branch' || typeof fromSeq !== 'number') return send();
    const response = await send({ body: { ...body, fromSeq: Number(member((await logOf(call))[0], 'sequence')) } });
    const answer: unknown = await response.json();
    return Response.json({ ...Object(answer), fromSeq }, { status: response.status });
  }),
};
