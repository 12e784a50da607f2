import { withLedger } from '../shared/ledger-parts.ts';
import type { Mutant } from '../mutant.ts';

export const patienceLostAtTheThirdAttempt: Mutant = {
  id: 'patience-lost-at-the-third-attempt',
  breaks: 'A call in doubt is executed again by the third worker that comes to it.',
  kills: ['once.every-cut.recovery'],
  parts: withLedger(({ decide, acquire }) => ({
    decide: (found, attempt) => {
      const decision = decide(found, attempt);
      return decision.kind === 'Rejected' && attempt === '3' ? { kind: 'AllowExecute', takeOver: false } : decision;
    },
    acquire: (call) => (call.attempt === '3' ? 'read, then write' : acquire(call)),
  })),
};
