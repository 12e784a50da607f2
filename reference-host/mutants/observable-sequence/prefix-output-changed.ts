import type { Mutant } from '../mutant.ts';

export const prefixOutputChanged: Mutant = {
  id: 'prefix-output-changed',
  breaks: 'A replay inherits node.completed events with another output.',
  kills: ['sequence.prefix-equal'],
  parts: ({ replay }) => ({
    replay: {
      ...replay,
      inherited: (history, { mode }) =>
        mode === 'replay'
          ? history.map((event) =>
              event.type === 'node.completed'
                ? { ...event, payload: { nodeId: event.nodeId, output: 'other' } }
                : event,
            )
          : history,
    },
  }),
};
