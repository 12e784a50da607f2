import { withLedger } from '../shared/ledger-parts.ts';
import type { Mutant } from '../mutant.ts';

export const inFlightForEver: Mutant = {
  id: 'in-flight-for-ever',
  breaks: 'A call that was in flight when its worker was lost is waited for without end.',
  kills: ['once.executed-not-recorded'],
  parts: withLedger(({ decide }) => ({
    decide: (found, attempt) => {
      const decision = decide(found, attempt);
      return decision.kind === 'Rejected' ? { kind: 'WaitOtherWorker' } : decision;
    },
  })),
};
