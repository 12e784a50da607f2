import type { Mutant } from '../mutant.ts';
import { forking, leftOut } from '../shared/fork-parts.ts';

export const replayDropsOverlay: Mutant = {
  id: 'replay-drops-overlay',
  breaks: 'A replay with a run options overlay is carried out without it.',
  kills: ['fork.replay-refuses-overlay'],
  parts: forking(({ body, send }) => {
    const others = leftOut(body, 'runOptionsOverlay');
    return body['mode'] === 'replay' && 'runOptionsOverlay' in body ? send({ body: others }) : send();
  }),
};
