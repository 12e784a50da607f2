import type { Mutant } from '../mutant.ts';
import { answeringExpired, withDetails } from '../shared/governance-parts.ts';

export const expiredDetailsOtherBoundary: Mutant = {
  id: 'expired-details-other-boundary',
  breaks: 'Its details name a boundary above the first event that is kept.',
  kills: ['retention.expired-range.details'],
  parts: answeringExpired((answer, { retentionBoundary }) =>
    withDetails(answer, (details) => ({ ...details, retentionBoundary: retentionBoundary + 1 })),
  ),
};
