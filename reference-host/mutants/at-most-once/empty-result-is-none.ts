import { withLedger } from '../shared/ledger-parts.ts';
import type { Mutant } from '../mutant.ts';

export const emptyResultIsNone: Mutant = {
  id: 'empty-result-is-none',
  breaks: 'An empty result counts as none, and the tool is called again.',
  kills: ['once.committed.empty'],
  parts: withLedger({
    isResult: (answer) => answer !== null && Object.keys(Object(answer)).length > 0,
    acquire: () => 'read, then write',
  }),
};
