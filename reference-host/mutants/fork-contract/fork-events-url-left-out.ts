import type { Mutant } from '../mutant.ts';
import { forkAnswered, leftOut } from '../shared/fork-parts.ts';

export const forkEventsUrlLeftOut: Mutant = {
  id: 'fork-events-url-left-out',
  breaks: 'The answer to a fork has no eventsUrl.',
  kills: ['fork.created', 'fork.created.branch'],
  parts: forkAnswered((answer) => leftOut(answer, 'eventsUrl')),
};
