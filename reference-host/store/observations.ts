import type { EventDraft } from './event.ts';
import type { Database } from './sqlite.ts';

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

/** The records of nondeterministic acts on a database. */
export function createObservationStore(database: Database): ObservationStore {
  const insert = database.prepare(
    'INSERT INTO observations (run_id, node_id, cache_key, observation) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING',
  );
  const select = database.prepare(
    'SELECT observation FROM observations WHERE run_id = ? AND node_id = ? AND cache_key = ?',
  );
  return {
    record({ runId, nodeId, cacheKey }, observation) {
      insert.run(runId, nodeId, cacheKey, JSON.stringify(observation));
    },
    get({ runId, nodeId, cacheKey }) {
      const row = select.get(runId, nodeId, cacheKey);
      return row === undefined ? undefined : (JSON.parse(String(row['observation'])) as Observation);
    },
  };
}
