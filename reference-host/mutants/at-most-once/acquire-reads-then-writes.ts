import { withLedger } from '../shared/ledger-parts.ts';
import type { Mutant } from '../mutant.ts';

export const acquireReadsThenWrites: Mutant = {
  id: 'acquire-reads-then-writes',
  breaks: 'Acquire looks for a record first and makes one a moment later.',
  kills: ['once.single-owner'],
  parts: withLedger({ acquire: () => 'read, then write' }),
};
