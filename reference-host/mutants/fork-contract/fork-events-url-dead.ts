import type { Mutant } from '../mutant.ts';
import { forkAnswered } from '../shared/fork-parts.ts';

export const forkEventsUrlDead: Mutant = {
  id: 'fork-events-url-dead',
  breaks: 'The eventsUrl of a fork leads nowhere.',
  kills: ['fork.created', 'fork.created.branch'],
  parts: forkAnswered((answer) => ({ ...answer, eventsUrl: `/v1/forks/${String(answer['runId'])}/events` })),
};
