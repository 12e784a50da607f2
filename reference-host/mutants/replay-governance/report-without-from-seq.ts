import type { Mutant } from '../mutant.ts';

export const reportWithoutFromSeq: Mutant = {
  id: 'report-without-from-seq',
  breaks: 'A determinism report does not say where the replay began.',
  kills: ['score.consistent.runs'],
  parts: ({ sideResources }) => ({
    sideResources: { ...sideResources, report: (report) => ({ ...report, fromSeq: undefined }) },
  }),
};
