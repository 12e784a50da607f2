import type { Mutant } from '../mutant.ts';

export const reportFirstDivergenceAtStart: Mutant = {
  id: 'report-first-divergence-at-start',
  breaks: 'A determinism report takes the start of the replay for its first divergence.',
  kills: ['score.consistent.first-divergence'],
  parts: ({ sideResources }) => ({
    sideResources: {
      ...sideResources,
      report: (report) => ({
        ...report,
        firstDivergenceSeq: report.firstDivergenceSeq === null ? null : report.fromSeq,
      }),
    },
  }),
};
