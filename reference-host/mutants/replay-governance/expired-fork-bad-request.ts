import type { Mutant } from '../mutant.ts';
import { answeringExpired } from '../shared/governance-parts.ts';

export const expiredForkBadRequest: Mutant = {
  id: 'expired-fork-bad-request',
  breaks: 'A fork below the retention boundary is answered with 400.',
  kills: ['retention.expired-range', 'retention.expired-range.default', 'retention.expired-range.branch'],
  parts: answeringExpired((answer) => ({ ...answer, status: 400 })),
};
