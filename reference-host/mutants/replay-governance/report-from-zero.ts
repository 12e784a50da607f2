import type { Mutant } from '../mutant.ts';

export const reportFromZero: Mutant = {
  id: 'report-from-zero',
  breaks: 'A determinism report says of every replay that it began at zero.',
  kills: ['score.consistent.runs'],
  parts: ({ sideResources }) => ({
    sideResources: { ...sideResources, report: (report) => ({ ...report, fromSeq: 0 }) },
  }),
};
