import type { Mutant } from '../mutant.ts';

export const startedTwice: Mutant = {
  id: 'started-twice',
  breaks: 'A full replay starts twice.',
  kills: ['sequence.replay-of-replay', 'sequence.state-equal.concurrent'],
  parts: () => ({
    written: (draft, { run }) =>
      draft.type === 'run.started' && run.fork?.mode === 'replay' ? [draft, draft] : [draft],
  }),
};
