import type { Mutant } from '../mutant.ts';
import { answeringExpired } from '../shared/governance-parts.ts';

export const expiredForkNotFound: Mutant = {
  id: 'expired-fork-not-found',
  breaks: 'A fork below the retention boundary is answered with 404.',
  kills: ['retention.expired-range', 'retention.expired-range.default', 'retention.expired-range.branch'],
  parts: answeringExpired((answer) => ({ ...answer, status: 404 })),
};
