import { withLedger } from '../shared/ledger-parts.ts';
import type { Mutant } from '../mutant.ts';

export const effectAfterAppend: Mutant = {
  id: 'effect-after-append',
  breaks: 'The effect store is written after the stream.',
  kills: ['once.write-order.found'],
  parts: withLedger({
    steps: () => ['append started', 'execute', 'append finished', 'put effect', 'append committed', 'commit'],
  }),
};
