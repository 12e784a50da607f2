import { closeDatabase, openDatabase } from './database.ts';
import { inspectDataFile } from './data-file.ts';
import type { EventLog } from './event-log.ts';
import { createEventLog } from './event-log.ts';
import type { IdempotencyStore } from './idempotency.ts';
import { createIdempotencyStore } from './idempotency.ts';
import type { ObservationStore } from './observations.ts';
import { createObservationStore } from './observations.ts';
import type { ResponseCache } from './response-cache.ts';
import { createResponseCache } from './response-cache.ts';
import type { RunIndex } from './runs.ts';
import { createRunIndex } from './runs.ts';
import { transaction } from './sqlite.ts';
import type { TraceParents } from './trace-parents.ts';
import { createTraceParents } from './trace-parents.ts';

/** Everything that outlives a request. */
export interface Store {
  /** What is worth knowing about the state in which the data file was found, in one line. */
  readonly notice?: string;
  readonly events: EventLog;
  readonly runs: RunIndex;
  readonly responses: ResponseCache;
  readonly observations: ObservationStore;
  readonly idempotency: IdempotencyStore;
  readonly traceParents: TraceParents;
  /** Keeps all writes of `work` together, or none when it throws. Must not be nested. */
  atomically<T>(work: () => T): T;
  close(): void;
}

/** Opens the store in a file, or in memory where none is given. Throws BadDataFile. */
export function openStore(file: string | undefined, firstSequence: number): Store {
  const notice = file === undefined ? undefined : inspectDataFile(file);
  const database = openDatabase(file);
  return {
    ...(notice === undefined ? {} : { notice }),
    events: createEventLog(database, firstSequence),
    runs: createRunIndex(database),
    responses: createResponseCache(database),
    observations: createObservationStore(database),
    idempotency: createIdempotencyStore(database),
    traceParents: createTraceParents(database),
    atomically: (work) => transaction(database, work),
    close: () => closeDatabase(database),
  };
}
