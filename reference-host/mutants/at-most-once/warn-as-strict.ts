import { withLedger } from '../shared/ledger-parts.ts';
import type { Mutant } from '../mutant.ts';

export const warnAsStrict: Mutant = {
  id: 'warn-as-strict',
  breaks: 'A failed verification fails the run although the mode is warn.',
  kills: ['once.verification-warn'],
  parts: withLedger(({ onFailedVerification }) => ({
    onFailedVerification: (mode) => (mode === 'warn' ? 'fail' : onFailedVerification(mode)),
  })),
};
