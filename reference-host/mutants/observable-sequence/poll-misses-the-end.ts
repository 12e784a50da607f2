import { rewritingEvents } from '../shared/run-wire.ts';
import type { Mutant } from '../mutant.ts';

export const pollMissesTheEnd: Mutant = {
  id: 'poll-misses-the-end',
  breaks: 'The poll endpoint leaves the last event out.',
  kills: ['sequence.single-terminal-event', 'sequence.transports-agree'],
  parts: rewritingEvents(/\/events\/poll$/, (events) => events.slice(0, -1)),
};
