import type { Mutant } from '../mutant.ts';

export const reportNeverFull: Mutant = {
  id: 'report-never-full',
  breaks: 'A determinism report takes one event of every replay for another one.',
  kills: ['score.consistent.exact-replay'],
  parts: ({ sideResources }) => ({
    sideResources: {
      ...sideResources,
      report: (report) => ({
        ...report,
        matchedEvents: report.comparedEvents - 1,
        score: (report.comparedEvents - 1) / report.comparedEvents,
        firstDivergenceSeq: report.firstDivergenceSeq ?? report.fromSeq,
      }),
    },
  }),
};
