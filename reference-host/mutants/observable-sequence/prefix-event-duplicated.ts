import type { Mutant } from '../mutant.ts';

export const prefixEventDuplicated: Mutant = {
  id: 'prefix-event-duplicated',
  breaks: 'A replay inherits its first event twice.',
  kills: ['refusal.mid-graph', 'sequence.prefix-equal'],
  parts: ({ replay }) => ({
    replay: {
      ...replay,
      inherited: (history, { mode }) =>
        mode === 'replay'
          ? history.flatMap((event, index) =>
              index === 0
                ? [event, { ...event, eventId: `${event.eventId}-again`, sequence: event.sequence + 1 }]
                : [{ ...event, sequence: event.sequence + 1 }],
            )
          : history,
    },
  }),
};
