import type { Mutant } from '../mutant.ts';

export const branchStartsEmpty: Mutant = {
  id: 'branch-starts-empty',
  breaks: 'A branch keeps the events below its fork point, but its nodes see none of the variables from before.',
  kills: ['fork.branch-applies-overlay.projected-state'],
  parts: ({ replay }) => ({
    replay: {
      ...replay,
      startsFrom: (state, run) =>
        run.fork?.mode === 'branch' ? { ...state, variables: new Map() } : replay.startsFrom(state, run),
    },
  }),
};
