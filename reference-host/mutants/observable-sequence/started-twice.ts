import type { Mutant } from '../mutant.ts';

export const startedTwice: Mutant = {
  id: 'started-twice',
  breaks: 'A full replay of one workflow starts twice.',
  kills: ['sequence.replay-of-replay', 'sequence.state-equal.concurrent'],
  parts: () => ({
    written: (draft, { run }) =>
      draft.type === 'run.started' && run.fork?.mode === 'replay' && run.workflowId === 'conformance-determinism-random'
        ? [draft, draft]
        : [draft],
  }),
};
