import { rewritingEvents } from '../shared/run-wire.ts';
import type { Mutant } from '../mutant.ts';

export const pollNewestFirst: Mutant = {
  id: 'poll-newest-first',
  breaks: 'The poll endpoint gives the newest events first.',
  kills: ['sequence.monotonic', 'sequence.single-terminal-event', 'sequence.transports-agree'],
  parts: rewritingEvents(/\/events\/poll$/, (events) => events.toReversed()),
};
