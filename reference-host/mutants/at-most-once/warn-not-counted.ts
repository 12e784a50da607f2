import { withLedger } from '../shared/ledger-parts.ts';
import type { Mutant } from '../mutant.ts';

export const warnNotCounted: Mutant = {
  id: 'warn-not-counted',
  breaks: 'A failed verification is not counted in the mode warn.',
  kills: ['once.verification-warn'],
  parts: withLedger(({ onFailedVerification }) => ({
    onFailedVerification: (mode) => (mode === 'warn' ? 'inject' : onFailedVerification(mode)),
  })),
};
