import { divergedAs } from '../shared/replay-parts.ts';
import type { Mutant } from '../mutant.ts';

export const divergenceEndsRun: Mutant = {
  id: 'divergence-ends-run',
  breaks: 'A replay that differs from its source stops there, as if it were complete.',
  kills: ['replay.divergence-continues', 'once.verification-human'],
  parts: divergedAs((report) => [report, { type: 'run.completed', payload: {} }]),
};
