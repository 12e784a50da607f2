import type { Mutant } from '../mutant.ts';

export const forkRepeatsTheLastNumber: Mutant = {
  id: 'fork-repeats-the-last-number',
  breaks: 'A replay counts on from the last number of its history without adding one.',
  kills: ['sequence.monotonic', 'sequence.monotonic.every-log'],
  parts: () => {
    const ownFrom = new Map<string, number>();
    return {
      written: (draft, { run }) => {
        if (run.fork?.mode === 'replay' && run.fork.position > 0) ownFrom.set(run.runId, run.fork.fromSeq);
        return [draft];
      },
      eventOnWire: (event) =>
        event.sequence >= (ownFrom.get(event.runId) ?? Infinity) ? { ...event, sequence: event.sequence - 1 } : event,
    };
  },
};
