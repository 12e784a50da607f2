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
  /** The run that dispatched this one as its child (rfc-0037 §A.2), and the node that did. */
  readonly dispatchedBy?: Dispatch;
  /** The region that carries the run out, where the host has regions. */
  readonly region?: string;
}

interface Dispatch {
  readonly runId: string;
  readonly nodeId: string;
}

export interface RunIndex {
  insert(run: RunRecord): void;
  get(runId: string): RunRecord | undefined;
  /** How many runs of a tenant this process knows of; an insert that was rolled back counts as well. */
  count(tenant: string): number;
  /** Runs whose log has no terminal event, in the order of their ids, which is the order of their creation. */
  unfinished(): RunRecord[];
  /** The run that a run was forked from. */
  parent(run: RunRecord): RunRecord | undefined;
  /** The forks that were made of a run, in the order of their creation. */
  forks(runId: string): RunRecord[];
  /** The runs that a run has dispatched, in the order of their creation. */
  children(runId: string): RunRecord[];
}

/** The index of runs on a database. Tenant checks are the caller's: `get` answers for every tenant. */
export function createRunIndex(database: Database): RunIndex {
  const insert = database.prepare(
    `INSERT INTO runs (run_id, tenant, workflow_id, parent_run_id, fork_mode, fork_from_seq, fork_position, fork_overlay,
       dispatched_by, dispatched_node, region)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const byId = database.prepare('SELECT * FROM runs WHERE run_id = ?');
  const open = database.prepare(
    `SELECT * FROM runs WHERE NOT EXISTS (SELECT 1 FROM events WHERE events.run_id = runs.run_id
       AND type IN ('run.completed', 'run.failed', 'run.cancelled')) ORDER BY run_id`,
  );
  const dispatched = database.prepare('SELECT * FROM runs WHERE dispatched_by = ? ORDER BY run_id');
  const forked = database.prepare('SELECT * FROM runs WHERE parent_run_id = ? ORDER BY run_id');
  const owned = database.prepare('SELECT count(*) AS n FROM runs WHERE tenant = ?');
  const counts = new Map<string, number>();
  const count = (tenant: string): number => {
    const known = counts.get(tenant) ?? Number(owned.get(tenant)?.['n']);
    counts.set(tenant, known);
    return known;
  };
  const get = (runId: string): RunRecord | undefined => {
    const row = byId.get(runId);
    return row === undefined ? undefined : fromRow(row);
  };
  return {
    insert({ runId, tenant, workflowId, fork, dispatchedBy, region }) {
      const before = count(tenant);
      const from =
        fork === undefined
          ? ([null, null, null, null, null] as const)
          : ([fork.parentRunId, fork.mode, fork.fromSeq, fork.position, JSON.stringify(fork.overlay)] as const);
      const by = [dispatchedBy?.runId ?? null, dispatchedBy?.nodeId ?? null] as const;
      insert.run(runId, tenant, workflowId, ...from, ...by, region ?? null);
      counts.set(tenant, before + 1);
    },
    get,
    count,
    unfinished: () => open.all().map(fromRow),
    parent: ({ fork }) => (fork === undefined ? undefined : get(fork.parentRunId)),
    forks: (runId) => forked.all(runId).map(fromRow),
    children: (runId) => dispatched.all(runId).map(fromRow),
  };
}

function fromRow(row: SqlRow): RunRecord {
  return {
    runId: String(row['run_id']),
    tenant: String(row['tenant']),
    workflowId: String(row['workflow_id']),
    ...(row['parent_run_id'] === null ? {} : { fork: forkOf(row) }),
    ...(row['dispatched_by'] === null
      ? {}
      : { dispatchedBy: { runId: String(row['dispatched_by']), nodeId: String(row['dispatched_node']) } }),
    ...(row['region'] === null ? {} : { region: String(row['region']) }),
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
