import { openSqlite, type Database } from './sqlite.ts';
import { reserveLog } from './wal-size.ts';

/** The data file cannot serve as this host's store; the message says why, in words for a command line. */
export class BadDataFile extends Error {
  override readonly name = 'BadDataFile';
}

/** Marks a file as ours, so that the host never writes into somebody else's database. */
export const APPLICATION_ID = 0x6f77_6f70;
export const SCHEMA_VERSION = 6;

const SCHEMA = `
CREATE TABLE runs (
  run_id TEXT PRIMARY KEY, tenant TEXT NOT NULL, workflow_id TEXT NOT NULL,
  parent_run_id TEXT, fork_mode TEXT, fork_from_seq INTEGER, fork_position INTEGER, fork_overlay TEXT,
  dispatched_by TEXT, dispatched_node TEXT, region TEXT
) STRICT, WITHOUT ROWID;
CREATE TABLE events (
  run_id TEXT NOT NULL, sequence INTEGER NOT NULL, event_id TEXT NOT NULL UNIQUE, type TEXT NOT NULL,
  node_id TEXT, causation_id TEXT, payload TEXT NOT NULL, timestamp TEXT NOT NULL,
  PRIMARY KEY (run_id, sequence)
) STRICT, WITHOUT ROWID;
CREATE TABLE llm_responses (
  namespace TEXT NOT NULL, invocation_id TEXT NOT NULL, run_id TEXT NOT NULL, node_id TEXT NOT NULL,
  cache_key TEXT NOT NULL, attempt TEXT NOT NULL, provider_key TEXT NOT NULL,
  response TEXT NOT NULL, revision TEXT,
  PRIMARY KEY (namespace, invocation_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX llm_responses_by_key ON llm_responses (namespace, cache_key);
CREATE TABLE observations (
  run_id TEXT NOT NULL, node_id TEXT NOT NULL, cache_key TEXT NOT NULL, observation TEXT NOT NULL,
  PRIMARY KEY (run_id, node_id, cache_key)
) STRICT, WITHOUT ROWID;
CREATE TABLE invocations (
  run_id TEXT NOT NULL, idempotency_key TEXT NOT NULL, state TEXT NOT NULL, host TEXT NOT NULL, attempt TEXT NOT NULL,
  lease_until INTEGER NOT NULL, result TEXT,
  PRIMARY KEY (run_id, idempotency_key)
) STRICT, WITHOUT ROWID;
CREATE TABLE attempts (run_id TEXT PRIMARY KEY, attempt INTEGER NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE credentials (
  key_sha256 TEXT PRIMARY KEY, tenant TEXT NOT NULL, scopes TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE expired_ranges (
  run_id TEXT PRIMARY KEY, before_seq INTEGER NOT NULL, state TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE deletions (
  run_id TEXT NOT NULL, path TEXT NOT NULL, PRIMARY KEY (run_id, path)
) STRICT, WITHOUT ROWID;
CREATE TABLE audit (
  audit_id TEXT PRIMARY KEY, run_id TEXT NOT NULL, source_run_id TEXT NOT NULL, entry TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE annotations (
  annotation_id TEXT PRIMARY KEY, run_id TEXT NOT NULL, annotation TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX annotations_by_run ON annotations (run_id);
CREATE TABLE trace_parents (
  run_id TEXT PRIMARY KEY, trace_id TEXT NOT NULL, span_id TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE workflows (
  tenant TEXT NOT NULL, workflow_id TEXT NOT NULL, definition TEXT NOT NULL, PRIMARY KEY (tenant, workflow_id)
) STRICT, WITHOUT ROWID;
CREATE TABLE idempotency (
  tenant TEXT NOT NULL, endpoint TEXT NOT NULL, key TEXT NOT NULL,
  request_sha256 TEXT NOT NULL, status INTEGER NOT NULL, body TEXT NOT NULL,
  PRIMARY KEY (tenant, endpoint, key)
) STRICT, WITHOUT ROWID;
PRAGMA application_id = ${APPLICATION_ID};
PRAGMA user_version = ${SCHEMA_VERSION};
`;

/**
 * Opens a data file: every acknowledged write survives a crash and a power cut (WAL, synchronous FULL) and no second host
 * can join. Throws BadDataFile when the file is a directory, not a database,
 * another program's database, locked or not writable.
 */
export function openDatabase(file: string): Database {
  checkPath(file);
  let database: Database | undefined;
  try {
    database = openSqlite(file);
    prepareFile(database);
    reserveLog(file);
    return database;
  } catch (error) {
    database?.close();
    throw unusable(file, error);
  }
}

/** Throws BadDataFile for a text that names no file. */
export function checkPath(file: string): void {
  if (file === '' || file.includes('\0')) throw new BadDataFile('the data file needs a path');
}

/** Any error as the one that says why the file cannot be used. */
export function unusable(file: string, error: unknown): BadDataFile {
  return error instanceof BadDataFile ? error : new BadDataFile(`cannot use ${file}: ${reason(error)}`);
}

/**
 * Closes a database that `openDatabase` gave. Its prepared statements may keep the file open until they are collected,
 * so the lock is given back first: leaving WAL is what lets SQLite end the exclusive mode.
 */
export function closeDatabase(database: Database): void {
  try {
    database.exec('PRAGMA journal_mode = DELETE; PRAGMA locking_mode = NORMAL; SELECT count(*) FROM sqlite_schema');
  } finally {
    database.close();
  }
}

function prepareFile(database: Database): void {
  database.exec('PRAGMA busy_timeout = 0');
  checkOwner(database);
  database.exec('PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL');
  // What the log held goes into the file and the log begins anew, with a first write of every opening: so that a log holds
  // one process's writes only, in finished transactions, and never nothing (see wal.ts). It goes on so every half of its
  // length (see wal-size.ts).
  database.exec('PRAGMA cache_spill = OFF; PRAGMA wal_checkpoint(TRUNCATE); PRAGMA wal_autocheckpoint = 500');
  // What was deleted is overwritten at once; `shedDeleted` does the rest.
  database.exec('PRAGMA secure_delete = ON');
  firstWrite(database);
}

function firstWrite(database: Database): void {
  database.exec('BEGIN IMMEDIATE');
  createOrMark(database);
  database.exec('COMMIT');
}

/** Within a transaction: makes the tables of a new file, or makes a first write. Throws BadDataFile for a file that is not ours. */
export function createOrMark(database: Database): void {
  database.exec(checkOwner(database) === 'fresh' ? SCHEMA : `PRAGMA user_version = ${SCHEMA_VERSION}`);
}

/** Whether a file is new or ours. Throws BadDataFile for any other. */
export function checkOwner(database: Database): 'fresh' | 'ours' {
  const application = pragma(database, 'application_id');
  const tables = database.prepare('SELECT count(*) AS n FROM sqlite_schema').get()?.['n'];
  const fresh = application === 0 && tables === 0;
  if (!fresh && application !== APPLICATION_ID) throw new BadDataFile('the data file belongs to another program');
  if (!fresh && pragma(database, 'user_version') !== SCHEMA_VERSION) {
    throw new BadDataFile('the data file was written by another version of this host');
  }
  return fresh ? 'fresh' : 'ours';
}

/**
 * Leaves nothing of deleted content in an open data file and its log. The file is written anew, because its pages may hold
 * copies of rows that have moved; then the log begins anew, as it does with an opening.
 */
export function shedDeleted(database: Database, file: string): void {
  database.exec('PRAGMA temp_store = MEMORY; VACUUM; PRAGMA wal_checkpoint(TRUNCATE)');
  database.exec('BEGIN IMMEDIATE');
  createOrMark(database);
  // Nobody else writes now, so that a log that grows is not cut off.
  reserveLog(file);
  database.exec('COMMIT');
}

function pragma(database: Database, name: 'application_id' | 'user_version'): unknown {
  return database.prepare(`PRAGMA ${name}`).get()?.[name];
}

function reason(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
