import type { Database, SqlRow } from './sqlite.ts';

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
export function damageIn(database: Database): string | undefined {
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
