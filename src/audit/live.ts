import type { HostHandle } from '../host/client.ts';
import { followRun, type FollowedRun } from '../host/log/follow.ts';
import { forkRun } from '../host/runs.ts';
import { compareEvents, type VolatilePlaces } from '../event-log/index.ts';
import { judgeLogs, undecided, workflowIn } from './judge-logs.ts';
import type { AuditLine } from './line.ts';

/** With what runs of a host are audited. */
export interface LiveAudit {
  readonly handle: HostHandle;
  /** Milliseconds that one answer may take. */
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  readonly volatile: VolatilePlaces;
}

/** Replays a run of a host from its start, and compares the replay with its source. Never throws for anything the host does. */
export async function auditRun(runId: string, { handle, timeoutMs, signal, volatile }: LiveAudit): Promise<AuditLine> {
  const patience = { timeoutMs, signal };
  const source = await followRun(patience, handle, runId);
  if (source.kind !== 'ended') return undecided(runId, null, `the run: ${source.reason}`);
  const workflowId = workflowIn(source.events[0]);
  const fork = await forkRun(handle, runId, { mode: 'replay' });
  if (fork.kind === 'refused') return undecided(runId, workflowId, `the fork was answered with ${fork.status}`);
  if (fork.kind === 'failed') return undecided(runId, workflowId, `the fork: ${fork.reason}`);
  if (fork.runId === runId) return undecided(runId, workflowId, 'the fork is its source');
  const replay = await followRun(patience, handle, fork.runId);
  const made = { replayRunId: fork.runId };
  if (replay.kind !== 'ended') return { ...undecided(runId, workflowId, `the replay: ${replay.reason}`), ...made };
  const result = compareEvents(rawOf(source), rawOf(replay), { volatile });
  return { ...judgeLogs(runId, workflowId, result), ...made };
}

function rawOf({ events }: Extract<FollowedRun, { kind: 'ended' }>): readonly unknown[] {
  return events.map(({ raw }) => raw);
}
