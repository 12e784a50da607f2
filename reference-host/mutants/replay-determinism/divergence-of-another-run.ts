import { divergedAs, withPayload } from '../shared/replay-parts.ts';
import type { Mutant } from '../mutant.ts';

export const divergenceOfAnotherRun: Mutant = {
  id: 'divergence-of-another-run',
  breaks: 'A report of a divergence names another source run, and nothing else that resolves.',
  kills: [
    'replay.divergence-is-reported',
    'replay.divergence-is-reported.added-node',
    'replay.divergence-is-reported.dropped-node',
  ],
  parts: divergedAs((report) => {
    const elsewhere = { originalEventId: null, replayEventId: null, divergencePoint: null };
    return [withPayload(report, { ...elsewhere, sourceRunId: 'run_0' })];
  }),
};
