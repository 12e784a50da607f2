import { withLedger } from '../shared/ledger-parts.ts';
import type { Mutant } from '../mutant.ts';

export const neverReclaimed: Mutant = {
  id: 'never-reclaimed',
  breaks: 'A call whose worker was lost before it declared the call is given up.',
  kills: ['once.before-execution'],
  parts: withLedger(({ decide }) => ({
    decide: (found, attempt) => {
      const decision = decide(found, attempt);
      return decision.kind === 'AllowExecute' && decision.takeOver ? { kind: 'Rejected' } : decision;
    },
  })),
};
