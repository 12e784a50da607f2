import type { Mutant } from '../mutant.ts';

export const reportAboutItself: Mutant = {
  id: 'report-about-itself',
  breaks: 'A determinism report names the replay as its own source.',
  kills: ['score.consistent.runs'],
  parts: ({ sideResources }) => ({
    sideResources: { ...sideResources, report: (report) => ({ ...report, sourceRunId: report.replayRunId }) },
  }),
};
