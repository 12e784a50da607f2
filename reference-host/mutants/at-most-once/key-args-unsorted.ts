import { withLedger } from '../shared/ledger-parts.ts';
import type { Mutant } from '../mutant.ts';

export const keyArgsUnsorted: Mutant = {
  id: 'key-args-unsorted',
  breaks: 'The internal idempotency key hashes the arguments in the order in which they came.',
  kills: ['once.idempotency-key'],
  parts: withLedger(({ idempotencyKey }) => ({
    idempotencyKey: (call) => idempotencyKey(call, JSON.stringify(call.args)),
  })),
};
