import type { EventDraft } from './event.ts';
import type { Tables, Where } from './tables.ts';

/**
 * The whole result of one nondeterministic act: what it returned, and the events that carry its changes of the run's
 * state. Kept together, so that a replay repeats all of it (replay.md, Phase 4 §C).
 */
export interface Observation {
  readonly value: unknown;
  readonly events: readonly EventDraft[];
  /** The tool call that it is the result of, as the log shows it. */
  readonly call?: RecordedCall;
  /** Set where data of it was deleted. */
  readonly deleted?: true;
}

export interface RecordedCall {
  readonly idempotencyKey: string;
  readonly attempt: string;
}

interface ObservationPlace {
  readonly runId: string;
  readonly nodeId: string;
  /** Made from the content of what was asked for: no counters, no clocks (replay.md, Phase 4 §C). */
  readonly cacheKey: string;
}

export interface ObservationStore {
  /** Keeps an observation; the first one of a place stays. */
  record(place: ObservationPlace, observation: Observation): void;
  get(place: ObservationPlace): Observation | undefined;
}

/** The records of nondeterministic acts in a store's tables. */
export function createObservationStore({ table }: Tables): ObservationStore {
  const observations = table('observations');
  return {
    record(place, observation) {
      observations.insert({ ...keysOf(place), observation: JSON.stringify(observation) }, 'keep');
    },
    get(place) {
      const row = observations.get(keysOf(place));
      return row === undefined ? undefined : (JSON.parse(String(row['observation'])) as Observation);
    },
  };
}

function keysOf({ runId, nodeId, cacheKey }: ObservationPlace): Where {
  return { run_id: runId, node_id: nodeId, cache_key: cacheKey };
}
