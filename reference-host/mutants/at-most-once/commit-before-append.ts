import { withLedger } from '../shared/ledger-parts.ts';
import type { Mutant } from '../mutant.ts';

export const commitBeforeAppend: Mutant = {
  id: 'commit-before-append',
  breaks: 'The ledger commits before the stream has the result.',
  kills: ['once.write-order.found'],
  parts: withLedger({
    steps: () => ['append started', 'execute', 'put effect', 'commit', 'append finished', 'append committed'],
  }),
};
