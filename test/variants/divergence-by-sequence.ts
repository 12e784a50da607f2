import { member } from '../../reference-host/json.ts';
import type { Variant } from './variant.ts';

/** A report of a divergence names the source and a sequence number of it, and no event. */
export const divergenceBySequence: Variant = {
  id: 'divergence-by-sequence',
  parts: ({ replay }) => ({
    replay: {
      ...replay,
      diverged: (report) =>
        replay.diverged(report).map((each) => {
          const { payload } = each;
          const place = { sourceRunId: member(payload, 'sourceRunId'), atSequence: member(payload, 'atSequence') };
          return { ...each, payload: { ...place, divergenceKind: 'output' } };
        }),
    },
  }),
};
