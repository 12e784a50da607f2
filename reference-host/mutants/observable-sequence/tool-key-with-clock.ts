import type { Mutant } from '../mutant.ts';

export const toolKeyWithClock: Mutant = {
  id: 'tool-key-with-clock',
  breaks: 'The name of a recorded tool call holds the time.',
  kills: ['sequence.content-addressed-tools', 'sequence.nondeterministic-tool', 'replay.no-second-external-call'],
  parts: ({ actKey }) => ({
    actKey: (request, actor) =>
      actor.nodeId === 'call-tool' ? `${actKey(request, actor)}-${process.hrtime.bigint()}` : actKey(request, actor),
  }),
};
