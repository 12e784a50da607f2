import type { Mutant } from '../mutant.ts';

export const reportScoreInverted: Mutant = {
  id: 'report-score-inverted',
  breaks: 'A determinism report scores what did not match.',
  kills: ['score.consistent.score'],
  parts: ({ sideResources }) => ({
    sideResources: { ...sideResources, report: (report) => ({ ...report, score: 1 - (report.score ?? 0) }) },
  }),
};
