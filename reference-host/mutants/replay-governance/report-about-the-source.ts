import type { Mutant } from '../mutant.ts';

export const reportAboutTheSource: Mutant = {
  id: 'report-about-the-source',
  breaks: 'A determinism report names the source as the replay.',
  kills: ['score.consistent.runs'],
  parts: ({ sideResources }) => ({
    sideResources: { ...sideResources, report: (report) => ({ ...report, replayRunId: report.sourceRunId }) },
  }),
};
