import type { Region } from '../region.ts';
import { REGIONS, wallClock } from '../region.ts';
import type { AnnotationStore } from './annotations.ts';
import { createAnnotationStore } from './annotations.ts';
import type { AuditTrail } from './audit.ts';
import { createAuditTrail } from './audit.ts';
import type { CredentialStore } from './credentials.ts';
import { createCredentialStore } from './credentials.ts';
import { inspectDataFile } from './data-file.ts';
import { closeDatabase, openDatabase, shedDeleted } from './database.ts';
import type { Deletions } from './deletions.ts';
import { createDeletions } from './deletions.ts';
import type { EventLog } from './event-log.ts';
import { createEventLog } from './event-log.ts';
import type { ExpiredRanges } from './expired.ts';
import { createExpiredRanges } from './expired.ts';
import type { FailpointStep } from './failpoints.ts';
import type { IdempotencyStore } from './idempotency.ts';
import { createIdempotencyStore } from './idempotency.ts';
import type { Ledger } from './ledger.ts';
import { createLedger } from './ledger.ts';
import type { ObservationStore } from './observations.ts';
import { createObservationStore } from './observations.ts';
import type { Records } from './records.ts';
import { createRecords } from './records.ts';
import type { ResponseCache } from './response-cache.ts';
import { createResponseCache } from './response-cache.ts';
import type { RunIndex } from './runs.ts';
import { createRunIndex } from './runs.ts';
import { closeSharedDatabase, openSharedDatabase } from './shared-database.ts';
import type { Database } from './sqlite.ts';
import { transactions } from './sqlite.ts';
import type { TraceParents } from './trace-parents.ts';
import { createTraceParents } from './trace-parents.ts';
import type { Wakers } from './wakers.ts';
import { createWakers } from './wakers.ts';

/** Everything that outlives a request. */
export interface Store {
  /** What is worth knowing about the state in which the data file was found, in one line. */
  readonly notice?: string;
  readonly events: EventLog;
  readonly runs: RunIndex;
  readonly responses: ResponseCache;
  readonly observations: ObservationStore;
  /** The observations again, as tool calls put their results there. */
  readonly effects: ObservationStore;
  readonly ledger: Ledger;
  readonly idempotency: IdempotencyStore;
  readonly traceParents: TraceParents;
  readonly credentials: CredentialStore;
  readonly annotations: AnnotationStore;
  /** The region that this store is used from, where there are regions. */
  readonly region?: Region;
  /** The host's wall clock, in milliseconds since 1970. */
  readonly now: () => number;
  readonly expired: ExpiredRanges;
  readonly deletions: Deletions;
  readonly audit: AuditTrail;
  readonly records: Records;
  /** Keeps all writes of `work` together, or none when it throws; within another one's work it is a part of that. */
  atomically<T>(work: () => T, step?: FailpointStep): T;
  /** Takes out of the data file, and its log, what they may still hold of content that was changed or deleted. */
  shed(): void;
  close(): void;
}

/** Opens the store in a file, or in memory where none is given. Throws BadDataFile. */
export function openStore(file: string | undefined, firstSequence: number): Store {
  const notice = file === undefined ? undefined : inspectDataFile(file);
  const database = openDatabase(file);
  const opened: Opened = {
    database,
    wakers: createWakers(),
    atomically: transactions(database),
    fenced: unfenced,
    shed: () => (file === undefined ? undefined : shedDeleted(database, file)),
    close: () => closeDatabase(database),
  };
  const store = storeOn(opened, { firstSequence });
  return notice === undefined ? store : { ...store, notice };
}

/**
 * Opens the store of one region in a file that processes of other regions may have open too. Throws BadDataFile, also where a
 * process of the same region, or one without regions, has it.
 */
export function openRegionStore(file: string, region: Region, firstSequence: number): Store {
  const shared = openSharedDatabase(file, region);
  const { database, othersWrote } = shared;
  const atomically = transactions(database);
  const opened: Opened = {
    database,
    wakers: createWakers(othersWrote),
    atomically,
    fenced: atomically,
    shed: () => shedDeleted(database, file),
    close: () => closeSharedDatabase(shared),
  };
  return storeOn(opened, { firstSequence, region });
}

/** The stores of all regions in this process: one database in memory, which is closed with the last of them. */
export function openRegionStores(firstSequence: number): Readonly<Record<Region, Store>> {
  const database = openDatabase(undefined);
  let open = REGIONS.length;
  const close = (): void => {
    open -= 1;
    if (open === 0) database.close();
  };
  const atomically = transactions(database);
  const opened: Opened = { database, wakers: createWakers(), atomically, fenced: unfenced, shed: nothing, close };
  return {
    a: storeOn(opened, { firstSequence, region: 'a' }),
    b: storeOn(opened, { firstSequence, region: 'b' }),
  };
}

/** A database in memory leaves nothing behind. */
function nothing(): void {}

interface Opened {
  readonly database: Database;
  readonly wakers: Wakers;
  readonly atomically: <T>(work: () => T) => T;
  readonly shed: () => void;
  /** Looks and writes in one step, where other processes write as well. */
  readonly fenced: <T>(work: () => T) => T;
  readonly close: () => void;
}

/** Within one process nothing comes between a look and a write. */
function unfenced<T>(work: () => T): T {
  return work();
}

interface StoreSettings {
  readonly firstSequence: number;
  readonly region?: Region;
}

function storeOn(opened: Opened, { firstSequence, region }: StoreSettings): Store {
  const { database, wakers, fenced, atomically, shed, close } = opened;
  const expired = createExpiredRanges(database);
  const observations = createObservationStore(database);
  const now = wallClock(region);
  return {
    ...(region === undefined ? {} : { region }),
    now,
    events: createEventLog(database, {
      firstSequence: (runId) => expired.get(runId)?.beforeSeq ?? firstSequence,
      now,
      wakers,
      fenced,
    }),
    runs: createRunIndex(database),
    responses: createResponseCache(database),
    observations,
    effects: observations,
    ledger: createLedger(database),
    idempotency: createIdempotencyStore(database),
    traceParents: createTraceParents(database),
    credentials: createCredentialStore(database),
    annotations: createAnnotationStore(database),
    expired,
    deletions: createDeletions(database),
    audit: createAuditTrail(database),
    records: createRecords(database),
    atomically,
    shed,
    close,
  };
}
