import { withLedger } from '../shared/ledger-parts.ts';
import type { Mutant } from '../mutant.ts';

export const staleWorkerWrites: Mutant = {
  id: 'stale-worker-writes',
  breaks: "A worker's writes are taken after another one has written.",
  kills: ['once.single-owner'],
  parts: withLedger({ refusesStale: () => false }),
};
