import { withLedger } from '../shared/ledger-parts.ts';
import type { Mutant } from '../mutant.ts';

export const keyWithoutArgs: Mutant = {
  id: 'key-without-args',
  breaks: 'The internal idempotency key leaves the arguments out.',
  kills: ['once.idempotency-key'],
  parts: withLedger(({ idempotencyKey }) => ({ idempotencyKey: (call) => idempotencyKey(call, '{}') })),
};
