import type { Mutant } from '../mutant.ts';
import { bothDirections } from '../shared/refusal-parts.ts';

export const refusalRewritesTheSource: Mutant = {
  id: 'refusal-rewrites-the-source',
  breaks: "A replay that met the other kind of envelope changes what its source's log says about the node.",
  kills: [...bothDirections('source-untouched')],
  parts: ({ eventOnWire, refusal }) => {
    const touched = new Set<string>();
    return {
      refusal: {
        ...refusal,
        payload: (divergence) => {
          touched.add(divergence.originalEventId);
          return refusal.payload(divergence);
        },
      },
      eventOnWire: (event, reading) =>
        eventOnWire(touched.has(event.eventId) ? { ...event, payload: { diverged: true } } : event, reading),
    };
  },
};
