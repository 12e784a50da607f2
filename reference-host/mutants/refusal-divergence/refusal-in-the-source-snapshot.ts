import type { Mutant } from '../mutant.ts';
import { bothDirections } from '../shared/refusal-parts.ts';

export const refusalInTheSourceSnapshot: Mutant = {
  id: 'refusal-in-the-source-snapshot',
  breaks: "A replay that met the other kind of envelope shows in its source's snapshot.",
  kills: [...bothDirections('source-untouched')],
  parts: ({ snapshotOnWire, refusal }) => {
    const touched = new Set<unknown>();
    return {
      refusal: {
        ...refusal,
        payload: (divergence) => {
          touched.add(divergence.sourceRunId);
          return refusal.payload(divergence);
        },
      },
      snapshotOnWire: (snapshot) =>
        snapshotOnWire(touched.has(snapshot['runId']) ? { ...snapshot, channels: { diverged: true } } : snapshot),
    };
  },
};
