import type { RunRecord } from '../store/runs.ts';
import type { Store } from '../store/store.ts';
import type { Ancestry } from './ancestry.ts';
import { ancestryOf } from './ancestry.ts';
import { digest, serialise } from './cache-key.ts';
import type { WorldParts } from './llm-world.ts';
import { llmWorld } from './llm-world.ts';
import type { World } from './world.ts';

export interface RecordedWorldParts extends WorldParts {
  readonly store: Store;
  /** Whether runs may call addresses outside the host: they come from whoever starts a run. */
  readonly outbound: boolean;
}

/** The world of a run: whatever it observes is recorded, and what was recorded for it is not observed again. */
export function createWorld(parts: RecordedWorldParts, run: RunRecord): World {
  const ancestry = ancestryOf(parts.store, run);
  return {
    runId: run.runId,
    outbound: parts.outbound,
    llm: llmWorld(parts, run, ancestry),
    observe: recording(parts.store, run, ancestry),
  };
}

function recording({ observations }: Store, run: RunRecord, ancestry: Ancestry): World['observe'] {
  return async ({ nodeId, request, perform }) => {
    const cacheKey = digest(serialise(request));
    for (const runId of [run.runId, ...ancestry.recordsFor(nodeId)]) {
      const recorded = observations.get({ runId, nodeId, cacheKey });
      if (recorded === undefined) continue;
      observations.record({ runId: run.runId, nodeId, cacheKey }, recorded);
      return recorded;
    }
    const observation = await perform();
    observations.record({ runId: run.runId, nodeId, cacheKey }, observation);
    return observation;
  };
}
