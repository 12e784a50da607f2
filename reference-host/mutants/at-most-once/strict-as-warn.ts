import { withLedger } from '../shared/ledger-parts.ts';
import type { Mutant } from '../mutant.ts';

export const strictAsWarn: Mutant = {
  id: 'strict-as-warn',
  breaks: 'A failed verification is only counted although the mode is strict.',
  kills: ['once.verification-strict'],
  parts: withLedger(({ onFailedVerification }) => ({
    onFailedVerification: (mode) => (mode === 'strict' ? 'count and inject' : onFailedVerification(mode)),
  })),
};
