import type { Mutant } from '../mutant.ts';

export const reportWithoutFirstDivergence: Mutant = {
  id: 'report-without-first-divergence',
  breaks: 'A determinism report names no first divergence.',
  kills: ['score.consistent.first-divergence'],
  parts: ({ sideResources }) => ({
    sideResources: { ...sideResources, report: (report) => ({ ...report, firstDivergenceSeq: null }) },
  }),
};
