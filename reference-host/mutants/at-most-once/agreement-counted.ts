import { withLedger } from '../shared/ledger-parts.ts';
import type { Mutant } from '../mutant.ts';

export const agreementCounted: Mutant = {
  id: 'agreement-counted',
  breaks: 'A verification that succeeds is counted among those that failed.',
  kills: ['once.verification-warn'],
  parts: withLedger({ countsAgreement: () => true }),
};
