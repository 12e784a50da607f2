import type { Mutant } from '../mutant.ts';
import { answeringExpired } from '../shared/governance-parts.ts';

export const expiredForkServed: Mutant = {
  id: 'expired-fork-served',
  breaks: 'A fork is made of what is left where the events that it needs have expired.',
  kills: ['retention.expired-range', 'retention.expired-range.default', 'retention.expired-range.branch'],
  parts: answeringExpired(() => undefined),
};
