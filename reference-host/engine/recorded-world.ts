import type { EventType } from '../store/event.ts';
import type { Observation } from '../store/observations.ts';
import type { RunRecord } from '../store/runs.ts';
import type { Store } from '../store/store.ts';
import { ancestryOf } from './ancestry.ts';
import { answerKey, answerRequest } from './interrupts.ts';
import type { WorldParts } from './llm-world.ts';
import { llmWorld } from './llm-world.ts';
import type { Act, World } from './world.ts';

export interface RecordedWorldParts extends WorldParts {
  readonly store: Store;
  /** Whether runs may call addresses outside the host: they come from whoever starts a run. */
  readonly outbound: boolean;
}

/** The world of a run: whatever it observes is recorded, and what was recorded for it is not observed again. */
export function createWorld(shared: RecordedWorldParts, run: RunRecord): World {
  const ancestry = ancestryOf(shared.store, run);
  const { observations, runs } = shared.store;
  const { actKey, replay } = shared.parts;
  const logLength = (): number => shared.store.events.read(run.runId).length;

  /** What comes from another run's records becomes a record of this run, for its own replays. */
  const recall = ({ nodeId, request, cacheKey, shownBy }: Recollection): Observation | undefined => {
    const place = { runId: run.runId, nodeId, cacheKey };
    const own = observations.get(place);
    if (own !== undefined || run.fork === undefined) return own;
    for (const runId of ancestry.recordsFor(nodeId, shownBy)) {
      const recorded = observations.get({ ...place, runId });
      if (recorded === undefined) continue;
      const ofFork = runs.parent(run)?.fork !== undefined;
      const shown = replay.observation(recorded, { mode: run.fork.mode, ofFork, nodeId, request });
      if (shown !== undefined) observations.record(place, shown);
      return shown;
    }
    return undefined;
  };

  return {
    runId: run.runId,
    outbound: shared.outbound,
    llm: llmWorld(shared, run, ancestry),
    answer: (nodeId, key) =>
      recall({ nodeId, request: answerRequest(key), cacheKey: answerKey(key), shownBy: 'interrupt.resolved' }),
    async observe({ nodeId, request, perform }) {
      const cacheKey = actKey(request, { runId: run.runId, nodeId, logLength });
      const recorded = recall({ nodeId, request, cacheKey });
      if (recorded !== undefined) return recorded;
      const observation = await perform();
      observations.record({ runId: run.runId, nodeId, cacheKey }, observation);
      return observation;
    },
  };
}

interface Recollection extends Pick<Act, 'nodeId' | 'request'> {
  readonly cacheKey: string;
  /** The event that shows in a log that it has happened; any event after the node's first where nothing is said. */
  readonly shownBy?: EventType;
}
