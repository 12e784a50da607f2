import type { Mutant } from '../mutant.ts';
import { bothDirections } from '../shared/refusal-parts.ts';

export const refusalNumberedAfterTheEnd: Mutant = {
  id: 'refusal-numbered-after-the-end',
  breaks: "The event has a number behind that of the run's end.",
  kills: [...bothDirections('precedes-failure')],
  parts: ({ eventOnWire }) => ({
    eventOnWire: (event, reading) => {
      const isRaised = event.type === 'replay.divergedAtRefusal';
      return eventOnWire(isRaised ? { ...event, sequence: event.sequence + 1_000 } : event, reading);
    },
  }),
};
