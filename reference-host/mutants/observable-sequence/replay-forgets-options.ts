import type { Mutant } from '../mutant.ts';

export const replayForgetsOptions: Mutant = {
  id: 'replay-forgets-options',
  breaks: 'A replay runs without the configurable values of its source.',
  kills: ['sequence.state-equal'],
  parts: ({ replay }) => ({
    replay: {
      ...replay,
      startsFrom: (state, run) => {
        const start = replay.startsFrom(state, run);
        return run.fork?.mode === 'replay' ? { ...start, options: { ...start.options, configurable: {} } } : start;
      },
    },
  }),
};
