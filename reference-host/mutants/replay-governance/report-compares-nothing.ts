import type { Mutant } from '../mutant.ts';

export const reportComparesNothing: Mutant = {
  id: 'report-compares-nothing',
  breaks: 'A determinism report says that nothing was compared.',
  kills: ['score.consistent.counts'],
  parts: ({ sideResources }) => ({
    sideResources: {
      ...sideResources,
      report: (report) => ({ ...report, matchedEvents: 0, comparedEvents: 0, score: null }),
    },
  }),
};
