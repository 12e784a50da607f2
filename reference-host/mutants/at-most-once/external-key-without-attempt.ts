import { withLedger } from '../shared/ledger-parts.ts';
import type { Mutant } from '../mutant.ts';

export const externalKeyWithoutAttempt: Mutant = {
  id: 'external-key-without-attempt',
  breaks: 'The external key is the same after a reclaim.',
  kills: ['once.external-key.reclaim'],
  parts: withLedger(({ externalKey }) => ({
    externalKey: (call) => externalKey({ ...call, attempt: '0' }),
  })),
};
