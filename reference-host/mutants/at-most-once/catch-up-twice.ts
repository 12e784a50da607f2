import { withLedger } from '../shared/ledger-parts.ts';
import type { Mutant } from '../mutant.ts';

export const catchUpTwice: Mutant = {
  id: 'catch-up-twice',
  breaks: 'Catch-up writes the missing events twice.',
  kills: ['once.effect-not-appended'],
  parts: withLedger({ caughtUp: (missing) => missing.flatMap((event) => [event, event]) }),
};
