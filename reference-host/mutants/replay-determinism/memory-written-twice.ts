import { onReplayOf } from '../shared/replay-parts.ts';
import type { Mutant } from '../mutant.ts';

export const memoryWrittenTwice: Mutant = {
  id: 'memory-written-twice',
  breaks: 'A replay writes each recorded fact twice.',
  kills: ['replay.recorded-facts-verbatim'],
  parts: onReplayOf('core.memory.write', (recorded) => ({
    ...recorded,
    events: recorded.events.flatMap((event) => (event.type === 'memory.written' ? [event, event] : [event])),
  })),
};
