import type { Mutant } from '../mutant.ts';
import { answeringExpired } from '../shared/governance-parts.ts';

export const expiredReplayServed: Mutant = {
  id: 'expired-replay-served',
  breaks: 'Replays are made of what is left where the events that they need have expired.',
  kills: ['retention.expired-range', 'retention.expired-range.default'],
  parts: answeringExpired((answer, { mode }) => (mode === 'branch' ? answer : undefined)),
};
