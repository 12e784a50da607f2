import type { Mutant } from '../mutant.ts';
import { forking, leftOut } from '../shared/fork-parts.ts';

export const branchIgnoresOverlay: Mutant = {
  id: 'branch-ignores-overlay',
  breaks: 'A branch runs with the run options of its source.',
  kills: ['fork.branch-applies-overlay'],
  parts: forking(({ body, send }) => {
    const others = leftOut(body, 'runOptionsOverlay');
    return body['mode'] === 'branch' ? send({ body: others }) : send();
  }),
};
