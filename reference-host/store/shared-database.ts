import { REGIONS, type Region } from '../region.ts';
import { BadDataFile, checkOwner, checkPath, createOrMark, unusable } from './database.ts';
import { inspectSharedDataFile } from './data-file.ts';
import { openSqlite, type Database } from './sqlite.ts';
import { reserveLog } from './wal-size.ts';

/** A database that several processes have open, one for each region. */
export interface SharedDatabase {
  readonly file: string;
  readonly region: Region;
  readonly database: Database;
  /** Whether another process has written since this was asked before. */
  readonly othersWrote: () => boolean;
  /** What keeps a second process of the region away. */
  readonly lock: Database;
}

/** How long a process waits for another one's write, and for its opening or closing of the file, in milliseconds. */
const PATIENCE_MS = 10_000;
/** How long it waits for a process that has the file for itself. */
const OPENING_MS = 1_000;
/** How long a process that closes the file last waits for the end of the one before it. */
const ENDING_MS = 1_000;

/**
 * Opens a data file for one region: every acknowledged write survives a crash and a power cut as in a file of one process, and
 * other regions may read and write at the same time. Throws BadDataFile as `openDatabase` does, and where a process of the same
 * region has the file.
 */
export function openSharedDatabase(file: string, region: Region): SharedDatabase {
  checkPath(file);
  try {
    return withTurn(file, () => {
      const lock = heldLock(lockOf(file, region), 0);
      if (lock === undefined) throw new BadDataFile(`another process of region ${region} has ${file}`);
      try {
        inspectSharedDataFile(file);
        const database = opened(file);
        return { file, region, database, othersWrote: changesIn(database), lock };
      } catch (error) {
        lock.close();
        throw error;
      }
    });
  } catch (error) {
    throw unusable(file, error);
  }
}

/** Closes the file for this region; the last one leaves it as a process that had it for itself does. */
export function closeSharedDatabase({ file, region, database, lock }: SharedDatabase): void {
  withTurn(file, () => {
    try {
      const end = Date.now() + ENDING_MS;
      while (!leavesLog(database) && Date.now() < end && isAlone(file, region)) sleep(20);
    } finally {
      database.close();
      lock.close();
    }
  });
}

/** Whether the file could be made one without a log: nobody else has it. */
function leavesLog(database: Database): boolean {
  try {
    database.exec('PRAGMA busy_timeout = 0; PRAGMA journal_mode = DELETE');
    return true;
  } catch {
    return false;
  }
}

/** Whether the processes of the other regions have closed the file; until they have ended they may still have a hold of it. */
function isAlone(file: string, region: Region): boolean {
  return REGIONS.filter((each) => each !== region).every((other) => {
    const lock = heldLock(lockOf(file, other), 0);
    lock?.close();
    return lock !== undefined;
  });
}

function lockOf(file: string, region: Region): string {
  return `${file}-region-${region}`;
}

function sleep(milliseconds: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);
}

function opened(file: string): Database {
  const database = openSqlite(file);
  try {
    database.exec(`PRAGMA busy_timeout = ${OPENING_MS}`);
    checkOwner(database);
    database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL');
    database.exec('PRAGMA cache_spill = OFF; PRAGMA wal_autocheckpoint = 500; PRAGMA secure_delete = ON');
    firstWrite(database, file);
    database.exec(`PRAGMA busy_timeout = ${PATIENCE_MS}`);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/** Nobody else writes meanwhile, so that a log that is made longer is not cut off. */
function firstWrite(database: Database, file: string): void {
  database.exec('BEGIN IMMEDIATE');
  createOrMark(database);
  reserveLog(file);
  database.exec('COMMIT');
}

/** SQLite counts what other connections have committed. */
function changesIn(database: Database): () => boolean {
  const statement = database.prepare('PRAGMA data_version');
  const version = (): unknown => statement.get()?.['data_version'];
  let known = version();
  return () => {
    const before = known;
    known = version();
    return known !== before;
  };
}

/** Processes open and close the file one after the other. */
function withTurn<T>(file: string, work: () => T): T {
  const turn = heldLock(`${file}-regions`, PATIENCE_MS);
  if (turn === undefined) throw new BadDataFile('another process opens or closes it, and does not come to an end');
  try {
    return work();
  } finally {
    turn.close();
  }
}

/**
 * A lock that its process cannot leave behind, however it ends: an empty database in an exclusive transaction. Undefined
 * where another one has it for longer than `patience`, in milliseconds.
 */
function heldLock(path: string, patience: number): Database | undefined {
  const lock = openSqlite(path);
  try {
    lock.exec(`PRAGMA busy_timeout = ${patience}; BEGIN EXCLUSIVE`);
    return lock;
  } catch (error) {
    lock.close();
    if (error instanceof Error && error.message.includes('locked')) return undefined;
    throw error;
  }
}
