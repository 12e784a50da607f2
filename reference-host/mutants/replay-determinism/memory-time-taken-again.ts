import { onReplayOf, withPayload } from '../shared/replay-parts.ts';
import type { Mutant } from '../mutant.ts';

export const memoryTimeTakenAgain: Mutant = {
  id: 'memory-time-taken-again',
  breaks: 'A replay says that memories were written when it was made.',
  kills: ['replay.recorded-facts-verbatim'],
  parts: onReplayOf('core.memory.write', (recorded) => ({
    ...recorded,
    events: recorded.events.map((event) =>
      event.type === 'memory.written' ? withPayload(event, { writtenAt: new Date().toISOString() }) : event,
    ),
  })),
};
