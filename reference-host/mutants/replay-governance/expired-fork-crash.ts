import type { Mutant } from '../mutant.ts';
import { answeringExpired } from '../shared/governance-parts.ts';

export const expiredForkCrash: Mutant = {
  id: 'expired-fork-crash',
  breaks: 'A fork below the retention boundary is answered with 500.',
  kills: ['retention.expired-range', 'retention.expired-range.default', 'retention.expired-range.branch'],
  parts: answeringExpired((answer) => ({ ...answer, status: 500 })),
};
