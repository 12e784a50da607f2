import type { Mutant } from '../mutant.ts';
import { rememberingAnnotations } from '../shared/annotated-runs.ts';
export const annotationsRenumberEvents: Mutant = {
  id: 'annotations-renumber-events',
  breaks: 'Once a run is annotated, its events have other numbers.',
  kills: ['annotation.not-an-event.fork'],
  parts: () => {
    const annotated = new Map<string, unknown>();
    return {
      middleware: (next) => rememberingAnnotations(next, annotated),
      eventOnWire: (event, reading) =>
        reading !== 'sse' && annotated.has(event.runId) ? { ...event, sequence: event.sequence + 1 } : event,
    };
  },
};
