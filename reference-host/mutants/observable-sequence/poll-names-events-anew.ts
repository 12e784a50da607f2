import type { Mutant } from '../mutant.ts';

export const pollNamesEventsAnew: Mutant = {
  id: 'poll-names-events-anew',
  breaks: 'The poll endpoint gives events other ids than the stream does.',
  kills: ['sequence.transports-agree'],
  parts: () => ({
    eventOnWire: (event, reading) => (reading === 'poll' ? { ...event, eventId: `${event.eventId}p` } : event),
  }),
};
