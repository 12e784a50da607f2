import { withLedger } from '../shared/ledger-parts.ts';
import type { Mutant } from '../mutant.ts';

export const noStartedBarrier: Mutant = {
  id: 'no-started-barrier',
  breaks: 'A tool is called before the stream declares the call.',
  kills: ['once.write-order', 'once.executed-not-recorded', 'once.every-cut'],
  parts: withLedger({
    steps: () => ['execute', 'put effect', 'append started', 'append finished', 'append committed', 'commit'],
  }),
};
