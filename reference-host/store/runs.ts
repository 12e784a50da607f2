import type { JsonObject } from '../json.ts';
import { type EventType, isTerminal } from './event.ts';
import type { Row, Tables } from './tables.ts';

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
  /** All runs of a tenant, the newest first. */
  ofTenant(tenant: string): RunRecord[];
  /** Runs whose log has no terminal event, in the order of their ids, which is the order of their creation. */
  unfinished(): RunRecord[];
  /** The run that a run was forked from. */
  parent(run: RunRecord): RunRecord | undefined;
  /** The forks that were made of a run, in the order of their creation. */
  forks(runId: string): RunRecord[];
  /** The runs that a run has dispatched, in the order of their creation. */
  children(runId: string): RunRecord[];
}

/** The index of runs in a store's tables. Tenant checks are the caller's: `get` answers for every tenant. */
export function createRunIndex({ table }: Tables): RunIndex {
  const [runs, events] = [table('runs'), table('events')];
  const counts = new Map<string, number>();
  const count = (tenant: string): number => {
    const known = counts.get(tenant) ?? runs.select({ tenant }).length;
    counts.set(tenant, known);
    return known;
  };
  const get = (runId: string): RunRecord | undefined => {
    const row = runs.get({ run_id: runId });
    return row === undefined ? undefined : fromRow(row);
  };
  /** Nothing follows a terminal event. */
  const hasEnded = ({ runId }: RunRecord): boolean => {
    const [last] = events.select({ run_id: runId }, { backwards: true, limit: 1 });
    return last !== undefined && isTerminal(String(last['type']) as EventType);
  };
  return {
    insert({ runId, tenant, workflowId, fork, dispatchedBy, region }) {
      const before = count(tenant);
      runs.insert({
        run_id: runId,
        tenant,
        workflow_id: workflowId,
        parent_run_id: fork?.parentRunId ?? null,
        fork_mode: fork?.mode ?? null,
        fork_from_seq: fork?.fromSeq ?? null,
        fork_position: fork?.position ?? null,
        fork_overlay: fork === undefined ? null : JSON.stringify(fork.overlay),
        dispatched_by: dispatchedBy?.runId ?? null,
        dispatched_node: dispatchedBy?.nodeId ?? null,
        region: region ?? null,
      });
      counts.set(tenant, before + 1);
    },
    get,
    count,
    ofTenant: (tenant) => runs.select({ tenant }, { backwards: true }).map(fromRow),
    unfinished: () =>
      runs
        .select({})
        .map(fromRow)
        .filter((run) => !hasEnded(run)),
    parent: ({ fork }) => (fork === undefined ? undefined : get(fork.parentRunId)),
    forks: (runId) => runs.select({ parent_run_id: runId }).map(fromRow),
    children: (runId) => runs.select({ dispatched_by: runId }).map(fromRow),
  };
}

function fromRow(row: Row): RunRecord {
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
function forkOf(row: Row): Fork {
  return {
    parentRunId: String(row['parent_run_id']),
    mode: String(row['fork_mode']) as ForkMode,
    fromSeq: Number(row['fork_from_seq']),
    position: Number(row['fork_position']),
    overlay: JSON.parse(String(row['fork_overlay'])) as JsonObject,
  };
}
