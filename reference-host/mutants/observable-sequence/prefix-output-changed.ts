import type { Mutant } from '../mutant.ts';

export const prefixOutputChanged: Mutant = {
  id: 'prefix-output-changed',
  breaks: 'A replay inherits the end of a node that wrote a memory with another output.',
  kills: ['sequence.prefix-equal'],
  parts: ({ replay }) => ({
    replay: {
      ...replay,
      inherited: (history, { mode }) =>
        mode === 'replay'
          ? history.map((event) =>
              event.type === 'node.completed' && event.nodeId === 'remember'
                ? { ...event, payload: { nodeId: event.nodeId, output: 'other' } }
                : event,
            )
          : history,
    },
  }),
};
