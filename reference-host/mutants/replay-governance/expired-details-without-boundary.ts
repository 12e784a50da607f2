import type { Mutant } from '../mutant.ts';
import { answeringExpired, withDetails } from '../shared/governance-parts.ts';

export const expiredDetailsWithoutBoundary: Mutant = {
  id: 'expired-details-without-boundary',
  breaks: 'Its details do not name the boundary.',
  kills: ['retention.expired-range.details'],
  parts: answeringExpired((answer, { sourceRunId, fromSeq }) => withDetails(answer, () => ({ sourceRunId, fromSeq }))),
};
