import { rewritingEvents } from '../shared/run-wire.ts';
import type { Mutant } from '../mutant.ts';

export const jsonEndsTwice: Mutant = {
  id: 'json-ends-twice',
  breaks: 'The JSON log shows the end of the run twice.',
  kills: ['sequence.single-terminal-event', 'sequence.transports-agree'],
  parts: rewritingEvents(/\/events$/, (events) => [
    ...events,
    ...events
      .slice(-1)
      .map((event) => ({ ...event, eventId: 'evt_second_end', sequence: Number(event['sequence']) + 1 })),
  ]),
};
