import { withLedger } from '../shared/ledger-parts.ts';
import type { Mutant } from '../mutant.ts';

export const inDoubtExecutedAgain: Mutant = {
  id: 'in-doubt-executed-again',
  breaks: 'A call that may have been executed is executed again.',
  kills: ['once.executed-not-recorded', 'once.every-cut'],
  parts: withLedger(({ decide }) => ({
    decide: (found, attempt) => {
      const decision = decide(found, attempt);
      return decision.kind === 'Rejected' ? { kind: 'AllowExecute', takeOver: true } : decision;
    },
  })),
};
