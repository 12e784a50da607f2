import type { Mutant } from '../mutant.ts';
import { answeringExpired } from '../shared/governance-parts.ts';

export const expiredForkBoundaryBeside: Mutant = {
  id: 'expired-fork-boundary-beside',
  breaks: 'The refusal of a fork below the retention boundary carries the boundary beside the envelope.',
  kills: ['retention.expired-range.envelope'],
  parts: answeringExpired((answer, { retentionBoundary }) => ({
    ...answer,
    body: { ...(answer.body as object), retentionBoundary },
  })),
};
