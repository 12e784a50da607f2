import { divergedAs } from '../shared/replay-parts.ts';
import type { Mutant } from '../mutant.ts';

export const divergenceWithoutLocators: Mutant = {
  id: 'divergence-without-locators',
  breaks: 'A report of a divergence does not say where it is.',
  kills: [
    'replay.divergence-is-reported',
    'replay.divergence-is-reported.added-node',
    'replay.divergence-is-reported.dropped-node',
  ],
  parts: divergedAs((report) => [{ ...report, payload: { diverged: true } }]),
};
