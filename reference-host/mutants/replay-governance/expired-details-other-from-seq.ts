import type { Mutant } from '../mutant.ts';
import { answeringExpired, withDetails } from '../shared/governance-parts.ts';

export const expiredDetailsOtherFromSeq: Mutant = {
  id: 'expired-details-other-from-seq',
  breaks: 'Its details name the boundary as the fork point.',
  kills: ['retention.expired-range.details'],
  parts: answeringExpired((answer, { retentionBoundary }) =>
    withDetails(answer, (details) => ({ ...details, fromSeq: retentionBoundary })),
  ),
};
