import type { Database, SqlRow } from './sqlite.ts';

/** What is known about a run beside its log: who owns it and where it came from. */
export interface RunRecord {
  readonly runId: string;
  readonly tenant: string;
  readonly workflowId: string;
  readonly fork?: { readonly parentRunId: string; readonly mode: 'replay' };
}

export interface RunIndex {
  insert(run: RunRecord): void;
  get(runId: string): RunRecord | undefined;
  /** Runs whose log has no terminal event, in the order of their ids, which is the order of their creation. */
  unfinished(): RunRecord[];
  /** The run itself, the run it was forked from, that run's own source, and so on. */
  lineage(runId: string): string[];
}

/** The index of runs on a database. Tenant checks are the caller's: `get` answers for every tenant. */
export function createRunIndex(database: Database): RunIndex {
  const insert = database.prepare(
    'INSERT INTO runs (run_id, tenant, workflow_id, parent_run_id, fork_mode) VALUES (?, ?, ?, ?, ?)',
  );
  const byId = database.prepare('SELECT * FROM runs WHERE run_id = ?');
  const open = database.prepare(
    `SELECT * FROM runs WHERE NOT EXISTS (SELECT 1 FROM events WHERE events.run_id = runs.run_id
       AND type IN ('run.completed', 'run.failed', 'run.cancelled')) ORDER BY run_id`,
  );
  const get = (runId: string): RunRecord | undefined => {
    const row = byId.get(runId);
    return row === undefined ? undefined : fromRow(row);
  };
  return {
    insert(run) {
      insert.run(run.runId, run.tenant, run.workflowId, run.fork?.parentRunId ?? null, run.fork?.mode ?? null);
    },
    get,
    unfinished: () => open.all().map(fromRow),
    lineage(runId) {
      const line: string[] = [];
      for (let next: string | undefined = runId; next !== undefined; next = get(next)?.fork?.parentRunId) {
        line.push(next);
      }
      return line;
    },
  };
}

function fromRow(row: SqlRow): RunRecord {
  return {
    runId: String(row['run_id']),
    tenant: String(row['tenant']),
    workflowId: String(row['workflow_id']),
    ...(row['parent_run_id'] === null ? {} : { fork: { parentRunId: String(row['parent_run_id']), mode: 'replay' } }),
  };
}
