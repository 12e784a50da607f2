import { digest, serialise } from '../../engine/cache-key.ts';
import type { Mutant } from '../mutant.ts';

/** A record under a name of its own is one that no other run has. */
export const toolCalledFromTheMiddle: Mutant = {
  id: 'tool-called-from-the-middle',
  breaks: 'A replay that inherits history calls tools again.',
  kills: ['replay.no-second-external-call', 'sequence.nondeterministic-tool'],
  parts: ({ replay, actKey }) => {
    const calling = new Set<string>();
    return {
      replay: {
        ...replay,
        carryOut: (run) => {
          if ((run.fork?.fromSeq ?? 0) > 0) calling.add(run.runId);
          return replay.carryOut(run);
        },
      },
      actKey: (request, actor) =>
        calling.has(actor.runId) && actor.nodeId === 'call-tool'
          ? digest(serialise({ request, runId: actor.runId }))
          : actKey(request, actor),
    };
  },
};
