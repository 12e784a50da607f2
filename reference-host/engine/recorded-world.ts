import type { RunRecord } from '../store/runs.ts';
import type { ObservationPlace } from '../store/observations.ts';
import type { Store } from '../store/store.ts';
import type { Ancestry } from './ancestry.ts';
import { ancestryOf } from './ancestry.ts';
import { digest, serialise } from './cache-key.ts';
import type { WorldParts } from './llm-world.ts';
import { llmWorld } from './llm-world.ts';
import type { Recollection, World } from './world.ts';

export interface RecordedWorldParts extends WorldParts {
  readonly store: Store;
  /** Whether runs may call addresses outside the host: they come from whoever starts a run. */
  readonly outbound: boolean;
}

/** The world of a run: whatever it observes is recorded, and what was recorded for it is not observed again. */
export function createWorld(parts: RecordedWorldParts, run: RunRecord): World {
  const ancestry = ancestryOf(parts.store, run);
  const { observations } = parts.store;
  const recall = recalling(parts, run, ancestry);
  return {
    runId: run.runId,
    outbound: parts.outbound,
    llm: llmWorld(parts, run, ancestry),
    recall,
    async observe({ nodeId, request, perform }) {
      const recorded = recall({ nodeId, request });
      if (recorded !== undefined) return recorded;
      const observation = await perform();
      observations.record(placeOf(run, { nodeId, request }), observation);
      return observation;
    },
  };
}

/** Where a run's observation of an act is kept. Only the content of the act names it (replay.md, Phase 4 §C). */
export function placeOf({ runId }: RunRecord, { nodeId, request }: Recollection): ObservationPlace {
  return { runId, nodeId, cacheKey: digest(serialise(request)) };
}

/** What a run takes from its ancestors' records becomes a record of its own, for its own replays. */
function recalling({ store }: RecordedWorldParts, run: RunRecord, ancestry: Ancestry): World['recall'] {
  const { observations } = store;
  return (act) => {
    const place = placeOf(run, act);
    const own = observations.get(place);
    if (own !== undefined) return own;
    for (const runId of ancestry.recordsFor(act.nodeId, act.shownBy)) {
      const recorded = observations.get({ ...place, runId });
      if (recorded === undefined) continue;
      observations.record(place, recorded);
      return recorded;
    }
    return undefined;
  };
}
