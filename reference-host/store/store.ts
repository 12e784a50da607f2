import type { CredentialStore } from './credentials.ts';
import { createCredentialStore } from './credentials.ts';
import { closeDatabase, openDatabase, shedDeleted } from './database.ts';
import type { AuditTrail } from './audit.ts';
import { createAuditTrail } from './audit.ts';
import type { Deletions } from './deletions.ts';
import { createDeletions } from './deletions.ts';
import { inspectDataFile } from './data-file.ts';
import type { EventLog } from './event-log.ts';
import { createEventLog } from './event-log.ts';
import type { ExpiredRanges } from './expired.ts';
import { createExpiredRanges } from './expired.ts';
import type { IdempotencyStore } from './idempotency.ts';
import { createIdempotencyStore } from './idempotency.ts';
import type { FailpointStep } from '../ledger/failpoints.ts';
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
import { transactions } from './sqlite.ts';
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
  /** The observations again, as tool calls put their results there. */
  readonly effects: ObservationStore;
  readonly ledger: Ledger;
  readonly idempotency: IdempotencyStore;
  readonly traceParents: TraceParents;
  readonly credentials: CredentialStore;
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
  const expired = createExpiredRanges(database);
  const observations = createObservationStore(database);
  return {
    ...(notice === undefined ? {} : { notice }),
    events: createEventLog(database, (runId) => expired.get(runId)?.beforeSeq ?? firstSequence),
    runs: createRunIndex(database),
    responses: createResponseCache(database),
    observations,
    effects: observations,
    ledger: createLedger(database),
    idempotency: createIdempotencyStore(database),
    traceParents: createTraceParents(database),
    credentials: createCredentialStore(database),
    expired,
    deletions: createDeletions(database),
    audit: createAuditTrail(database),
    records: createRecords(database),
    atomically: transactions(database),
    shed: () => (file === undefined ? undefined : shedDeleted(database, file)),
    close: () => closeDatabase(database),
  };
}
