import type { Mutant } from '../mutant.ts';
import { forking } from '../shared/fork-parts.ts';

export const forkModeCaseFolded: Mutant = {
  id: 'fork-mode-case-folded',
  breaks: 'The mode is read without regard to case.',
  kills: ['fork.rejects-bad-mode'],
  parts: forking(({ body, send }) => {
    const mode = typeof body['mode'] === 'string' ? body['mode'].toLowerCase() : undefined;
    return mode === undefined || mode === body['mode'] ? send() : send({ body: { ...body, mode } });
  }),
};
