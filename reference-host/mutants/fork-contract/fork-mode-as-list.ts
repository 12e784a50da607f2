import type { Mutant } from '../mutant.ts';
import { forking } from '../shared/fork-parts.ts';

export const forkModeAsList: Mutant = {
  id: 'fork-mode-as-list',
  breaks: 'A list with one mode counts as that mode.',
  kills: ['fork.rejects-bad-mode'],
  parts: forking(({ body, send }) =>
    Array.isArray(body['mode']) ? send({ body: { ...body, mode: String(body['mode']) } }) : send(),
  ),
};
