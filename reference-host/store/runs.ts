import type { JsonObject } from '../json.ts';
import type { Database, SqlRow } from './sqlite.ts';

export type ForkMode = 'replay' | 'branch';

/** Where a forked run came from. */
export interface Fork {
  readonly parentRunId: string;
  readonly mode: ForkMode;
  /** The sequence number from which on the fork's events are its own. */
  readonly fromSeq: number;
  /** How many of the source's events are its fixed history, those about replays not counted. */
  readonly position: number;
  /** What a branch lays over the source's run options from its position on; empty for a replay. */
  readonly overlay: JsonObject;
}

/** What is known about a run beside its log: who owns it and where it came from. */
export interface RunRecord {
  readonly runId: string;
  readonly tenant: string;
  readonly workflowId: string;
  readonly fork?: Fork;
}

export interface RunIndex {
  insert(run: RunRecord): void;
  get(runId: string): RunRecord | undefined;
  /** Runs whose log has no terminal event, in the order of their ids, which is the order of their creation. */
  unfinished(): RunRecord[];
  /** The run that a run was forked from. */
  parent(run: RunRecord): RunRecord | undefined;
}

/** The index of runs on a database. Tenant checks are the caller's: `get` answers for every tenant. */
export function createRunIndex(database: Database): RunIndex {
  const insert = database.prepare(
    `INSERT INTO runs (run_id, tenant, workflow_id, parent_run_id, fork_mode, fork_from_seq, fork_position, fork_overlay)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
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
    insert({ runId, tenant, workflowId, fork }) {
      if (fork === undefined) insert.run(runId, tenant, workflowId, null, null, null, null, null);
      else {
        const { parentRunId, mode, fromSeq, position, overlay } = fork;
        insert.run(runId, tenant, workflowId, parentRunId, mode, fromSeq, position, JSON.stringify(overlay));
      }
    },
    get,
    unfinished: () => open.all().map(fromRow),
    parent: ({ fork }) => (fork === undefined ? undefined : get(fork.parentRunId)),
  };
}

function fromRow(row: SqlRow): RunRecord {
  return {
    runId: String(row['run_id']),
    tenant: String(row['tenant']),
    workflowId: String(row['workflow_id']),
    ...(row['parent_run_id'] === null ? {} : { fork: forkOf(row) }),
  };
}

/** The row was written by `insert` above. */
function forkOf(row: SqlRow): Fork {
  return {
    parentRunId: String(row['parent_run_id']),
    mode: String(row['fork_mode']) as ForkMode,
    fromSeq: Number(row['fork_from_seq']),
    position: Number(row['fork_position']),
    overlay: JSON.parse(String(row['fork_overlay'])) as JsonObject,
  };
}
