import { withLedger } from '../shared/ledger-parts.ts';
import type { Mutant } from '../mutant.ts';

export const attemptInInternalKey: Mutant = {
  id: 'attempt-in-internal-key',
  breaks: 'The internal idempotency key contains the attempt.',
  kills: ['once.idempotency-key', 'once.idempotency-key.retry'],
  parts: withLedger(({ idempotencyKey }) => ({
    idempotencyKey: (call, canonical) => idempotencyKey(call, `${canonical}${call.attempt}`),
  })),
};
