import { withLedger } from '../shared/ledger-parts.ts';
import type { Mutant } from '../mutant.ts';

export const confirmationNotHeard: Mutant = {
  id: 'confirmation-not-heard',
  breaks: 'A person confirms, and the run fails all the same.',
  kills: ['once.verification-human.resume'],
  parts: withLedger({ confirms: () => false }),
};
