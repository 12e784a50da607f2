import { closeSync, existsSync, openSync, readSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { APPLICATION_ID, BadDataFile, SCHEMA_VERSION } from './database.ts';
import { openSqlite, type Database, type SqlRow } from './sqlite.ts';
import { LOG_BYTES, logOf } from './wal-size.ts';
import { readWal } from './wal.ts';

/** Columns that hold JSON, with the words that name a row. */
const JSON_COLUMNS = [
  { table: 'events', column: 'payload', row: "'event ' || sequence || ' of run ' || run_id" },
  { table: 'runs', column: 'fork_overlay', row: "'run ' || run_id" },
  { table: 'llm_responses', column: 'response', row: "'the response of node ' || node_id || ' in run ' || run_id" },
  {
    table: 'observations',
    column: 'observation',
    row: "'the observation of node ' || node_id || ' in run ' || run_id",
  },
  { table: 'invocations', column: 'result', row: "'the result of a tool call in run ' || run_id" },
  { table: 'expired_ranges', column: 'state', row: "'the state before the expired events of run ' || run_id" },
  { table: 'audit', column: 'entry', row: "'audit record ' || audit_id" },
  { table: 'annotations', column: 'annotation', row: "'annotation ' || annotation_id || ' of run ' || run_id" },
  { table: 'credentials', column: 'scopes', row: "'a credential of tenant ' || tenant" },
  { table: 'workflows', column: 'definition', row: "'workflow ' || workflow_id || ' of tenant ' || tenant" },
] as const;

/** What is wrong with a database of ours that is attached as `data`: the first thing found, where it is, and what is intact; undefined when sound. */
function damageIn(database: Database): string | undefined {
  return damagedPage(database) ?? gapInRun(database) ?? brokenJson(database);
}

function damagedPage(database: Database): string | undefined {
  const found = firstFinding(database, '');
  if (found === undefined) return undefined;
  const tables = database.prepare("SELECT name FROM data.sqlite_schema WHERE type = 'table' ORDER BY name").all();
  const intact = tables.map((row) => String(row['name'])).filter((name) => firstFinding(database, name) === undefined);
  return `${found}; intact tables: ${intact.join(', ') || 'none'}`;
}

/** What SQLite itself finds, in the whole file or in one table. */
function firstFinding(database: Database, table: string): string | undefined {
  try {
    const row = database
      .prepare(table === '' ? 'PRAGMA data.quick_check(1)' : `PRAGMA data.quick_check('${table}')`)
      .get();
    const text = String(Object.values(row ?? {})[0]);
    return text === 'ok' ? undefined : text.replaceAll(/\*\*\*.*?\*\*\*|\s+/g, ' ').trim();
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** A log begins with 0 or 1, or with the first event behind those that have expired. */
const BEGINS_LATE =
  'CASE WHEN max(before_seq) IS NULL THEN min(sequence) > 1 ELSE min(sequence) <> max(before_seq) END';

function gapInRun(database: Database): string | undefined {
  const run = database
    .prepare(
      `SELECT run_id, min(sequence) AS first, max(before_seq) AS expired FROM events LEFT JOIN expired_ranges USING (run_id)
       GROUP BY run_id HAVING max(sequence) - min(sequence) + 1 <> count(*) OR ${BEGINS_LATE} LIMIT 1`,
    )
    .get();
  if (run === undefined) return undefined;
  const runId = String(run['run_id']);
  if (run['expired'] === null ? Number(run['first']) > 1 : run['first'] !== run['expired']) {
    return `run ${runId} begins with event ${run['first']}; other events are intact`;
  }
  const before = database
    .prepare(
      `SELECT min(sequence) AS last FROM events AS one WHERE run_id = ?1
       AND NOT EXISTS (SELECT 1 FROM events AS next WHERE next.run_id = ?1 AND next.sequence = one.sequence + 1)`,
    )
    .get(runId);
  return `run ${runId} lacks its event ${Number(before?.['last']) + 1}; the events before it are intact`;
}

function brokenJson(database: Database): string | undefined {
  for (const { table, column, row } of JSON_COLUMNS) {
    const sql = `SELECT ${row} AS place FROM ${table} WHERE ${column} IS NOT NULL AND NOT json_valid(${column}) LIMIT 1`;
    const found: SqlRow | undefined = database.prepare(sql).get();
    if (found !== undefined) return `${found['place']} is not the JSON that was written; other rows are intact`;
  }
  return undefined;
}

const MAGIC = 'SQLite format 3\0';
const HEADER_BYTES = 100;

/**
 * Looks at a data file before it is opened for writing, and changes nothing in it. Gives a line to tell where the last
 * process left something unfinished; throws BadDataFile, with the place and what is intact, where something is not what
 * was written. What is no data file of ours is left to `openDatabase`.
 */
export function inspectDataFile(file: string): string | undefined {
  const header = headerOf(file);
  return header === undefined ? undefined : inspecting(file, () => inspectContent(file, header));
}

/** Looks at a data file that other processes may have open and write to: at its content only, its log moves. */
export function inspectSharedDataFile(file: string): void {
  if (headerOf(file) === undefined) return;
  inspecting(file, () => withAttached(file, !hasJournal(file), (reader) => refuseDamage(file, reader)));
}

function inspecting<T>(file: string, inspect: () => T): T {
  try {
    return inspect();
  } catch (error) {
    if (error instanceof BadDataFile) throw error;
    throw new BadDataFile(`cannot use ${file}: ${String(error instanceof Error ? error.message : error)}`);
  }
}

interface FileHeader {
  /** Whether the file's last process did not close it. */
  readonly walMode: boolean;
}

/** The header of a file that is ours, or of one page only: the first transaction of a new file may be in its log. */
function headerOf(file: string): FileHeader | undefined {
  if (file === '' || file.includes('\0') || !existsSync(file)) return undefined;
  const status = statSync(file);
  if (!status.isFile() || status.size < HEADER_BYTES) return undefined;
  const bytes = firstBytes(file);
  if (bytes?.toString('latin1', 0, MAGIC.length) !== MAGIC) return undefined;
  const application = bytes.readUInt32BE(68);
  const ours = application === APPLICATION_ID && bytes.readUInt32BE(60) === SCHEMA_VERSION;
  const isNew = application === 0 && status.size === bytes.readUInt16BE(16);
  return ours || isNew ? { walMode: bytes[18] === 2 } : undefined;
}

/**
 * Undefined where the file cannot be read, which opening it will tell. Closing the file gives up the locks that this very
 * process has on it (POSIX): a second host belongs into another process.
 */
function firstBytes(file: string): Buffer | undefined {
  const bytes = Buffer.alloc(HEADER_BYTES);
  try {
    const descriptor = openSync(file, 'r');
    readSync(descriptor, bytes);
    closeSync(descriptor);
    return bytes;
  } catch {
    return undefined;
  }
}

/** A rollback journal that was left behind has to be played back before anything can be read. */
function inspectContent(file: string, { walMode }: FileHeader): string | undefined {
  const readOnly = !hasJournal(file);
  if (!readOnly) inspectLog(file, walMode);
  return withAttached(file, readOnly, (reader) => {
    // Something has to be read first: then nobody else writes.
    isOurs(reader);
    const notice = inspectLog(file, walMode);
    refuseDamage(file, reader);
    return notice;
  });
}

function hasJournal(file: string): boolean {
  const journal = `${file}-journal`;
  return existsSync(journal) && statSync(journal).size > 0;
}

function refuseDamage(file: string, reader: Database): void {
  const damage = isOurs(reader) ? damageIn(reader) : undefined;
  if (damage !== undefined) throw new BadDataFile(`${file} is damaged: ${damage}`);
}

/**
 * Lends a database to which the file is attached as `data`: detaching is what closes a file at once, whatever statements
 * are left. Once something was read, no other host begins to write until the end.
 */
function withAttached<T>(file: string, readOnly: boolean, use: (reader: Database) => T): T {
  const reader = openSqlite(':memory:', { readOnly });
  try {
    reader.exec(`ATTACH '${resolve(file).replaceAll("'", "''")}' AS data`);
    try {
      return use(reader);
    } finally {
      reader.exec('DETACH data');
    }
  } finally {
    reader.close();
  }
}

function isOurs(reader: Database): boolean {
  const numberOf = (pragma: string): unknown => reader.prepare(`PRAGMA data.${pragma}`).get()?.[pragma];
  return numberOf('application_id') === APPLICATION_ID && numberOf('user_version') === SCHEMA_VERSION;
}

function inspectLog(file: string, walMode: boolean): string | undefined {
  const log = logOf(file);
  const reading = existsSync(log) ? readWal(log) : ({ kind: 'empty', size: 0 } as const);
  if (reading.kind === 'damaged') {
    const { at, what, commits, end } = reading;
    throw new BadDataFile(
      `${log} is damaged at byte ${at}: ${what}; intact are ${file} and the log's first ${commits} transactions, up to byte ${end}`,
    );
  }
  if (reading.kind === 'empty') {
    return walMode ? `${file} was not closed, and ${log} is gone or empty: what only the log held is lost` : undefined;
  }
  const { kind, size, commits, end } = reading;
  // A process that died before the log had its length had made its opening write at most.
  if (size < LOG_BYTES && (commits > 1 || (commits === 1 && kind === 'unfinished'))) {
    throw new BadDataFile(
      `${log} was cut off at byte ${size}; intact are ${file} and the log's first ${commits} transactions, up to byte ${end}`,
    );
  }
  if (size < LOG_BYTES) return `${log}: the last process died while it opened ${file}, or the log was cut off`;
  return kind === 'whole'
    ? undefined
    : `${log}: the last write is not whole and is left out (it was never finished, or damaged since); the ${commits} transactions before it, up to byte ${end}, are intact`;
}
