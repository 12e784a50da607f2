import { digest, serialise } from '../../engine/cache-key.ts';
import type { Mutant } from '../mutant.ts';

/** Records are looked up in the source run only. */
export const toolCalledOnSecondReplay: Mutant = {
  id: 'tool-called-on-second-replay',
  breaks: 'The replay of a replay calls tools again.',
  kills: ['replay.no-second-external-call.replay-of-replay'],
  parts: ({ replay, actKey }) => {
    const calling = new Set<string>();
    const replays = new Set<string>();
    return {
      replay: {
        ...replay,
        carryOut: (run) => {
          if (replays.has(run.fork?.parentRunId ?? '')) calling.add(run.runId);
          replays.add(run.runId);
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
