import type { Mutant } from '../mutant.ts';
import { forking } from '../shared/fork-parts.ts';

export const forkUnknownModeReplays: Mutant = {
  id: 'fork-unknown-mode-replays',
  breaks: 'A mode that there is not counts as replay.',
  kills: ['fork.rejects-bad-mode'],
  parts: forking(({ body, send }) => {
    const { mode } = body;
    return typeof mode === 'string' && !['replay', 'branch'].includes(mode)
      ? send({ body: { ...body, mode: 'replay' } })
      : send();
  }),
};
