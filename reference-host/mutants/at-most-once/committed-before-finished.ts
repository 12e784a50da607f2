import { withLedger } from '../shared/ledger-parts.ts';
import type { Mutant } from '../mutant.ts';

export const committedBeforeFinished: Mutant = {
  id: 'committed-before-finished',
  breaks: 'The stream commits a call before it says how the call ended.',
  kills: ['once.write-order', 'sequence.side-effects-cached', 'sequence.parallel-branches'],
  parts: withLedger({
    steps: () => ['append started', 'execute', 'put effect', 'append committed', 'append finished', 'commit'],
  }),
};
