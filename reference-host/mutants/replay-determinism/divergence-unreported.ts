import { divergedAs } from '../shared/replay-parts.ts';
import type { Mutant } from '../mutant.ts';

export const divergenceUnreported: Mutant = {
  id: 'divergence-unreported',
  breaks: 'A replay that differs from its source does not say so.',
  kills: [
    'replay.divergence-is-reported',
    'replay.divergence-is-reported.added-node',
    'replay.divergence-is-reported.dropped-node',
    'replay.divergence-span',
  ],
  parts: divergedAs(() => []),
};
