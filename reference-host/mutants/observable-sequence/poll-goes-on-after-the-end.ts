import { rewritingEvents } from '../shared/run-wire.ts';
import type { Mutant } from '../mutant.ts';

export const pollGoesOnAfterTheEnd: Mutant = {
  id: 'poll-goes-on-after-the-end',
  breaks: 'The poll endpoint shows an event after the end of the run.',
  kills: ['sequence.single-terminal-event', 'sequence.transports-agree'],
  parts: rewritingEvents(/\/events\/poll$/, (events) => [
    ...events,
    ...events.slice(-1).map((event) => ({
      ...event,
      type: 'log.appended',
      eventId: 'evt_late',
      sequence: Number(event['sequence']) + 1,
    })),
  ]),
};
