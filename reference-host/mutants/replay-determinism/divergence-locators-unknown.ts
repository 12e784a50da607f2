import { divergedAs, withPayload } from '../shared/replay-parts.ts';
import type { Mutant } from '../mutant.ts';

export const divergenceLocatorsUnknown: Mutant = {
  id: 'divergence-locators-unknown',
  breaks: 'A report of a divergence names events that do not exist.',
  kills: [
    'replay.divergence-is-reported',
    'replay.divergence-is-reported.added-node',
    'replay.divergence-is-reported.dropped-node',
  ],
  parts: divergedAs((report) => {
    const nowhere = { originalEventId: 'evt_0', replayEventId: 'evt_0', atSequence: 1e6, divergencePoint: 1e6 };
    return [withPayload(report, nowhere)];
  }),
};
