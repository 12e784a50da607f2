import type { Mutant } from '../mutant.ts';
import { answeringExpired } from '../shared/governance-parts.ts';

export const expiredForkWithoutCode: Mutant = {
  id: 'expired-fork-without-code',
  breaks: 'The refusal of a fork below the retention boundary has a message and no code.',
  kills: ['retention.expired-range.envelope'],
  parts: answeringExpired((answer) => ({ ...answer, body: { message: 'Events that this fork needs have expired.' } })),
};
