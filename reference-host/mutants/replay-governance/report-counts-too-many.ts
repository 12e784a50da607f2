import type { Mutant } from '../mutant.ts';

export const reportCountsTooMany: Mutant = {
  id: 'report-counts-too-many',
  breaks: 'A determinism report counts more events than there are.',
  kills: ['score.consistent.counts'],
  parts: ({ sideResources }) => ({
    sideResources: {
      ...sideResources,
      report: (report) => ({
        ...report,
        matchedEvents: report.matchedEvents * 100,
        comparedEvents: report.comparedEvents * 100,
      }),
    },
  }),
};
