import type { Mutant } from '../mutant.ts';
import { answeringExpired } from '../shared/governance-parts.ts';

export const expiredForkConflict: Mutant = {
  id: 'expired-fork-conflict',
  breaks: 'A fork below the retention boundary is answered with 409.',
  kills: ['retention.expired-range', 'retention.expired-range.default', 'retention.expired-range.branch'],
  parts: answeringExpired((answer) => ({ ...answer, status: 409 })),
};
