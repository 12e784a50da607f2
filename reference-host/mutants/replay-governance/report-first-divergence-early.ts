import type { Mutant } from '../mutant.ts';

export const reportFirstDivergenceEarly: Mutant = {
  id: 'report-first-divergence-early',
  breaks: 'A determinism report names the event before the first divergence.',
  kills: ['score.consistent.first-divergence'],
  parts: ({ sideResources }) => ({
    sideResources: {
      ...sideResources,
      report: (report) => ({
        ...report,
        firstDivergenceSeq: report.firstDivergenceSeq === null ? null : report.firstDivergenceSeq - 1,
      }),
    },
  }),
};
