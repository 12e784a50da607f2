import { createRequire } from 'node:module';

/** A value that every SQLite driver binds and returns alike. */
type SqlValue = string | number | null;

/** A row as the drivers give it. Our tables are STRICT and hold text and integers only. */
export type SqlRow = { readonly [column: string]: SqlValue };

/** A prepared statement. */
export interface Statement {
  run(...values: SqlValue[]): { readonly changes: number | bigint };
  get(...values: SqlValue[]): SqlRow | undefined;
  all(...values: SqlValue[]): SqlRow[];
}

/** The part of `DatabaseSync` that the npm driver and Node's own module share. */
export interface Database {
  exec(sql: string): void;
  prepare(sql: string): Statement;
  close(): void;
}

interface OpenOptions {
  readonly readOnly?: boolean;
}

interface Driver {
  readonly DatabaseSync: new (path: string, options?: OpenOptions) => Database;
}

/**
 * Opens a database with whichever driver is at hand. The npm driver goes first because it prints nothing; Node's own
 * module steps in where the optional package has no binary. Throws the driver's error when the path cannot be opened, and one with a hint where there is no driver.
 */
export function openSqlite(path: string, options: OpenOptions = {}): Database {
  driver ??= loadDriver();
  if (driver === undefined) throw new Error(`no SQLite driver: ${SQLITE_HINT}`);
  return new driver.DatabaseSync(path, options);
}

/** How to get a driver. */
export const SQLITE_HINT = 'npm install @photostructure/sqlite, or use Node 22.13 or later';

/** Whether there is a driver: without one there are no data files. */
export function hasSqlite(): boolean {
  driver ??= loadDriver();
  return driver !== undefined;
}

/**
 * Runs works in write transactions: all of a work is kept, or, when it throws, nothing. A work within a work is a part of
 * its transaction.
 */
export function transactions(database: Database): <T>(work: () => T) => T {
  let open = false;
  return (work) => {
    if (open) return work();
    database.exec('BEGIN IMMEDIATE');
    open = true;
    try {
      const result = work();
      database.exec('COMMIT');
      return result;
    } catch (error) {
      database.exec('ROLLBACK');
      throw error;
    } finally {
      open = false;
    }
  };
}

let driver: Driver | undefined;

function loadDriver(): Driver | undefined {
  const found = npmDriver() ?? withoutSqliteWarning(() => process.getBuiltinModule('node:sqlite'));
  return isDriver(found) ? found : undefined;
}

function npmDriver(): unknown {
  try {
    return createRequire(import.meta.url)('@photostructure/sqlite');
  } catch {
    return undefined;
  }
}

/** Node announces its SQLite module as experimental on every load; all other warnings still go through. */
function withoutSqliteWarning(load: () => unknown): unknown {
  const original: unknown = Reflect.get(process, 'emitWarning');
  process.emitWarning = (warning: string | Error, ...rest: unknown[]) => {
    if (typeof original !== 'function' || String(warning).includes('SQLite')) return;
    Reflect.apply(original, process, [warning, ...rest]);
  };
  try {
    return load();
  } finally {
    Reflect.set(process, 'emitWarning', original);
  }
}

function isDriver(value: unknown): value is Driver {
  return typeof value === 'object' && value !== null && 'DatabaseSync' in value;
}
