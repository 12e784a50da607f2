import { REGIONS, wallClock, type Region } from '../region.ts';
import {
  createAnnotationStore,
  type AnnotationStore,
  createAuditTrail,
  type AuditTrail,
  createDeletions,
  type Deletions,
  createTraceParents,
  type TraceParents,
} from './beside-logs.ts';
import {
  createCredentialStore,
  type CredentialStore,
  createIdempotencyStore,
  type IdempotencyStore,
  createWorkflowStore,
  type WorkflowStore,
} from './of-tenants.ts';
import { inspectDataFile } from './data-file.ts';
import { closeDatabase, openDatabase, shedDeleted } from './database.ts';
import { createMemoryTables } from './memory-tables.ts';
import { createEventLog, type EventLog } from './event-log.ts';
import { createExpiredRanges, type ExpiredRanges } from './expired.ts';
import type { FailpointStep } from './failpoints.ts';
import { createLedger, type Ledger } from './ledger.ts';
import { createObservationStore, type ObservationStore } from './observations.ts';
import { createRecords, type Records } from './records.ts';
import { createResponseCache, type ResponseCache } from './response-cache.ts';
import { createRunIndex, type RunIndex } from './runs.ts';
import { closeSharedDatabase, openSharedDatabase } from './shared-database.ts';
import { createSqliteTables } from './sqlite-tables.ts';
import type { Tables } from './tables.ts';
import { createWakers, type Wakers } from './wakers.ts';

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
  readonly workflows: WorkflowStore;
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
  if (file === undefined) return storeOn(inMemory(), { firstSequence });
  const notice = inspectDataFile(file);
  const database = openDatabase(file);
  const opened: Opened = {
    tables: createSqliteTables(database, () => closeDatabase(database)),
    wakers: createWakers(),
    fenced: unfenced,
    shed: () => shedDeleted(database, file),
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
  const tables = createSqliteTables(database, () => closeSharedDatabase(shared));
  const opened: Opened = {
    tables,
    wakers: createWakers(othersWrote),
    fenced: tables.atomically,
    shed: () => shedDeleted(database, file),
  };
  return storeOn(opened, { firstSequence, region });
}

/** The stores of all regions in this process: the same tables in memory, which are closed with the last of them. */
export function openRegionStores(firstSequence: number): Readonly<Record<Region, Store>> {
  const { tables, ...opened } = inMemory();
  let open = REGIONS.length;
  const close = (): void => {
    open -= 1;
    if (open === 0) tables.close();
  };
  const storeOf = (region: Region): Store =>
    storeOn({ ...opened, tables: { ...tables, close } }, { firstSequence, region });
  return { a: storeOf('a'), b: storeOf('b') };
}

function inMemory(): Opened {
  return { tables: createMemoryTables(), wakers: createWakers(), fenced: unfenced, shed: nothing };
}

/** Memory leaves nothing behind. */
function nothing(): void {}

interface Opened {
  readonly tables: Tables;
  readonly wakers: Wakers;
  readonly shed: () => void;
  /** Looks and writes in one step, where other processes write as well. */
  readonly fenced: <T>(work: () => T) => T;
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
  const { tables, wakers, fenced, shed } = opened;
  const expired = createExpiredRanges(tables);
  const observations = createObservationStore(tables);
  const now = wallClock(region);
  return {
    ...(region === undefined ? {} : { region }),
    now,
    events: createEventLog(tables, {
      firstSequence: (runId) => expired.get(runId)?.beforeSeq ?? firstSequence,
      now,
      wakers,
      fenced,
    }),
    runs: createRunIndex(tables),
    responses: createResponseCache(tables),
    observations,
    effects: observations,
    ledger: createLedger(tables),
    idempotency: createIdempotencyStore(tables),
    traceParents: createTraceParents(tables),
    credentials: createCredentialStore(tables),
    annotations: createAnnotationStore(tables),
    workflows: createWorkflowStore(tables),
    expired,
    deletions: createDeletions(tables),
    audit: createAuditTrail(tables),
    records: createRecords(tables),
    atomically: tables.atomically,
    shed,
    close: () => tables.close(),
  };
}
