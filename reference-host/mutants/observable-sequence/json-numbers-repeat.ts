import { rewritingEvents } from '../shared/run-wire.ts';
import type { Mutant } from '../mutant.ts';

export const jsonNumbersRepeat: Mutant = {
  id: 'json-numbers-repeat',
  breaks: 'The JSON log gives the last event the number of the one before it.',
  kills: ['sequence.monotonic', 'sequence.transports-agree'],
  parts: rewritingEvents(/\/events$/, (events) =>
    events.map((event, index) =>
      index > 0 && index === events.length - 1 ? { ...event, sequence: events[index - 1]?.['sequence'] } : event,
    ),
  ),
};
