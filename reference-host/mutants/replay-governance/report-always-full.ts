import type { Mutant } from '../mutant.ts';

export const reportAlwaysFull: Mutant = {
  id: 'report-always-full',
  breaks: 'A determinism report says of every replay that it matches.',
  kills: ['score.consistent.diverging-replay'],
  parts: ({ sideResources }) => ({
    sideResources: {
      ...sideResources,
      report: (report) => ({ ...report, matchedEvents: report.comparedEvents, score: 1, firstDivergenceSeq: null }),
    },
  }),
};
