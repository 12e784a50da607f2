import { withPayload } from '../shared/replay-parts.ts';
import type { Mutant } from '../mutant.ts';

export const memoryTimeTakenInHistory: Mutant = {
  id: 'memory-time-taken-in-history',
  breaks: 'A fork says that the memories of its history were written when it was made.',
  kills: ['replay.recorded-facts-verbatim.in-history', 'sequence.prefix-equal'],
  parts: ({ replay }) => ({
    replay: {
      ...replay,
      inherited: (history) =>
        history.map((event) =>
          event.type === 'memory.written' ? withPayload(event, { writtenAt: new Date().toISOString() }) : event,
        ),
    },
  }),
};
