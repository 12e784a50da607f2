import type { Mutant } from '../mutant.ts';
import { forking } from '../shared/fork-parts.ts';

export const forkModeDefaulted: Mutant = {
  id: 'fork-mode-defaulted',
  breaks: 'A request without a mode is a replay.',
  kills: ['fork.rejects-bad-mode'],
  parts: forking(({ body, text, send }) =>
    text.startsWith('{') && Object.keys(body).every((name) => name === 'fromSeq') && !text.includes('mode')
      ? send({ body: { ...body, mode: 'replay' } })
      : send(),
  ),
};
