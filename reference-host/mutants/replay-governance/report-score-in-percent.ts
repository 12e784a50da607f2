import type { Mutant } from '../mutant.ts';

export const reportScoreInPercent: Mutant = {
  id: 'report-score-in-percent',
  breaks: 'A determinism report gives its score in percent.',
  kills: ['score.consistent.score'],
  parts: ({ sideResources }) => ({
    sideResources: { ...sideResources, report: (report) => ({ ...report, score: (report.score ?? 0) * 100 }) },
  }),
};
