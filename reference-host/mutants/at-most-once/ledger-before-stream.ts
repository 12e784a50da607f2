import { withLedger } from '../shared/ledger-parts.ts';
import type { Mutant } from '../mutant.ts';

export const ledgerBeforeStream: Mutant = {
  id: 'ledger-before-stream',
  breaks: 'Recovery believes the ledger where the stream holds more.',
  kills: ['once.appended-not-committed', 'once.stream-is-authority'],
  parts: withLedger(({ decide }) => ({
    decide: (found, attempt) =>
      found.ledger === 'RECOVERABLE' && found.stream !== 'none' ? { kind: 'Rejected' } : decide(found, attempt),
  })),
};
