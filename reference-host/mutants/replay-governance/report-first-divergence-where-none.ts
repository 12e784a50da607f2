import type { Mutant } from '../mutant.ts';

export const reportFirstDivergenceWhereNone: Mutant = {
  id: 'report-first-divergence-where-none',
  breaks: 'A determinism report names a first divergence of a replay that matches.',
  kills: ['score.consistent.first-divergence'],
  parts: ({ sideResources }) => ({
    sideResources: {
      ...sideResources,
      report: (report) => ({ ...report, firstDivergenceSeq: report.firstDivergenceSeq ?? report.fromSeq }),
    },
  }),
};
