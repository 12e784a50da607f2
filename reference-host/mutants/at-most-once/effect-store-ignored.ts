import { withLedger } from '../shared/ledger-parts.ts';
import type { Mutant } from '../mutant.ts';

export const effectStoreIgnored: Mutant = {
  id: 'effect-store-ignored',
  breaks: 'Recovery does not ask the effect store.',
  kills: ['once.effect-not-appended'],
  parts: withLedger(({ decide }) => ({
    decide: (found, attempt) => decide({ ...found, effect: found.effect && found.ledger !== 'RECOVERABLE' }, attempt),
  })),
};
