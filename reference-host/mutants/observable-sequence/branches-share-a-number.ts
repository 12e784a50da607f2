import type { Mutant } from '../mutant.ts';

export const branchesShareANumber: Mutant = {
  id: 'branches-share-a-number',
  breaks: 'A branch that starts while others run takes the number that the event before it has.',
  kills: ['sequence.monotonic.every-log'],
  parts: () => ({
    eventOnWire: (event) =>
      event.type === 'node.started' && event.nodeId === 'branch-b' ? { ...event, sequence: event.sequence - 1 } : event,
  }),
};
