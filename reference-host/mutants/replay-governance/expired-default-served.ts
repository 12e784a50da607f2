import type { Mutant } from '../mutant.ts';
import { answeringExpired } from '../shared/governance-parts.ts';

export const expiredDefaultServed: Mutant = {
  id: 'expired-default-served',
  breaks: 'Only a named fork point is compared with the retention boundary: a replay by default starts in the gap.',
  kills: ['retention.expired-range.default'],
  parts: answeringExpired((answer, { isExplicit }) => (isExplicit ? answer : undefined)),
};
