import { divergedAs } from '../shared/replay-parts.ts';
import type { Mutant } from '../mutant.ts';

export const divergenceCancelsRun: Mutant = {
  id: 'divergence-cancels-run',
  breaks: 'A replay that differs from its source is cancelled.',
  kills: ['replay.divergence-continues'],
  parts: divergedAs((report) => [report, { type: 'run.cancelled', payload: {} }]),
};
