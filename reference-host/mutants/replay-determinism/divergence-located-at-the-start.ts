import { withPayload } from '../shared/replay-parts.ts';
import type { Mutant } from '../mutant.ts';

export const divergenceLocatedAtTheStart: Mutant = {
  id: 'divergence-located-at-the-start',
  breaks: 'Every report of a divergence names the beginning of the source.',
  kills: [
    'replay.divergence-is-reported',
    'replay.divergence-is-reported.added-node',
    'replay.divergence-is-reported.dropped-node',
  ],
  parts: ({ replay, firstSequence }) => ({
    replay: {
      ...replay,
      diverged: (report) => {
        const start = { originalEventId: null, replayEventId: null, divergencePoint: firstSequence };
        return [withPayload(report, { ...start, atSequence: firstSequence })];
      },
    },
  }),
};
