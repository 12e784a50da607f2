import type { Mutant } from '../mutant.ts';

export const toolKeyWithCounter: Mutant = {
  id: 'tool-key-with-counter',
  breaks: 'The name of a recorded tool call holds the number of events before it.',
  kills: ['sequence.content-addressed-tools'],
  parts: ({ actKey }) => ({
    actKey: (request, actor) =>
      actor.nodeId === 'call-tool' ? `${actKey(request, actor)}-${actor.logLength()}` : actKey(request, actor),
  }),
};
