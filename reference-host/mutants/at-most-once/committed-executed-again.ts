import { withLedger } from '../shared/ledger-parts.ts';
import type { Mutant } from '../mutant.ts';

export const committedExecutedAgain: Mutant = {
  id: 'committed-executed-again',
  breaks: 'A committed call is executed again by the worker that recovers.',
  kills: ['once.committed'],
  parts: withLedger(({ decide }) => ({
    decide: (found, attempt) =>
      found.ledger === 'COMMITTED' ? { kind: 'AllowExecute', takeOver: false } : decide(found, attempt),
    acquire: () => 'read, then write',
  })),
};
