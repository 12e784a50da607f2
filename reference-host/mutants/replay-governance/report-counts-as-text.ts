import type { Mutant } from '../mutant.ts';

export const reportCountsAsText: Mutant = {
  id: 'report-counts-as-text',
  breaks: 'A determinism report gives its counts as text.',
  kills: ['score.consistent.counts'],
  parts: ({ sideResources }) => ({
    sideResources: {
      ...sideResources,
      report: (report) => ({
        ...report,
        matchedEvents: String(report.matchedEvents),
        comparedEvents: String(report.comparedEvents),
      }),
    },
  }),
};
