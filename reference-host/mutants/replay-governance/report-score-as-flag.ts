import type { Mutant } from '../mutant.ts';

export const reportScoreAsFlag: Mutant = {
  id: 'report-score-as-flag',
  breaks: 'A determinism report gives the score 0 to every replay that differs at all.',
  kills: ['score.consistent.score'],
  parts: ({ sideResources }) => ({
    sideResources: { ...sideResources, report: (report) => ({ ...report, score: report.score === 1 ? 1 : 0 }) },
  }),
};
