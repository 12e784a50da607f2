import type { Mutant } from '../mutant.ts';

export const reportMatchesOneMore: Mutant = {
  id: 'report-matches-one-more',
  breaks: 'A determinism report counts one match more than it compared events.',
  kills: ['score.consistent.counts'],
  parts: ({ sideResources }) => ({
    sideResources: { ...sideResources, report: (report) => ({ ...report, matchedEvents: report.comparedEvents + 1 }) },
  }),
};
