import { withLedger } from '../shared/ledger-parts.ts';
import type { Mutant } from '../mutant.ts';

export const humanNotAsked: Mutant = {
  id: 'human-not-asked',
  breaks: 'The recorded result is injected although a person should confirm it first.',
  kills: ['once.verification-human'],
  parts: withLedger(({ onFailedVerification }) => ({
    onFailedVerification: (mode) => (mode === 'human-in-loop' ? 'inject' : onFailedVerification(mode)),
  })),
};
