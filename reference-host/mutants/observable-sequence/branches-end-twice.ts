import { rewritingEvents } from '../shared/run-wire.ts';
import type { Mutant } from '../mutant.ts';

export const branchesEndTwice: Mutant = {
  id: 'branches-end-twice',
  breaks: 'A run with concurrent branches writes its end twice.',
  kills: ['sequence.single-terminal-event.every-log'],
  parts: rewritingEvents(/\/events(\/poll)?$/, (events) => {
    const end = events.at(-1);
    const isConcurrent = events.some(({ nodeId }) => nodeId === 'branch-b');
    return end?.['type'] === 'run.completed' && isConcurrent
      ? [...events, { ...end, eventId: 'evt_second_end', sequence: Number(end['sequence']) + 1 }]
      : events;
  }),
};
