import { createHash } from 'node:crypto';
import type { HostHandle } from '../host/client.ts';
import { jsonIn } from '../host/exchanged.ts';
import { followRun, type FollowedRun } from '../host/log/follow.ts';
import type { Reach } from '../host/reach.ts';
import { isRecord, type RunEvent } from '../host/run-event.ts';
import { forkRun } from '../host/runs.ts';
import { compareEvents, type VolatilePlaces } from '../event-log/index.ts';
import { runPath } from '../protocol/paths.ts';
import { isParked } from '../protocol/run-status.ts';
import { judgeLogs, undecided, workflowIn } from './judge-logs.ts';
import type { AuditLine } from './line.ts';

/** With what runs of a host are audited. */
export interface LiveAudit {
  readonly handle: HostHandle;
  readonly reach: Reach;
  /** Milliseconds that one answer may take. */
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  readonly volatile: VolatilePlaces;
  /** Names this audit: the same run gets the same Idempotency-Key in it, and another one in any other. */
  readonly auditId: string;
  /** The replays that the host has named, and the run that each was made of. */
  readonly replays: Map<string, string>;
}

const GONE = 'the host does not answer';

/**
 * Milliseconds that the log of a run gets which the host says it has not: the run is there since before this audit, or never.
 * A host without snapshots may show its log.
 */
const UNKNOWN_MS = 1_000;

/** Replays a run of a host from its start, and compares the replay with its source. Never throws for anything the host does. */
export async function auditRun(runId: string, audit: LiveAudit): Promise<AuditLine> {
  const { gone } = audit.reach;
  if (gone.aborted) return { ...undecided(runId, null, GONE), again: true };
  const { handle, isUnreached } = audit.reach.lend(audit.handle);
  const line = await replayRun(runId, { ...audit, handle });
  if (line.verdict !== 'undecided') return line;
  if (gone.aborted) return { ...line, reason: GONE, again: true };
  return isUnreached() ? { ...line, again: true } : line;
}

async function replayRun(runId: string, { handle, timeoutMs, signal, ...audit }: LiveAudit): Promise<AuditLine> {
  const patience = { timeoutMs, signal };
  const shown = await handle.exchange({ method: 'GET', path: runPath(runId) });
  const isUnknown = shown.kind === 'response' && shown.status === 404;
  const snapshot = jsonIn(shown, 200);
  const { status, workflowId: named } = isRecord(snapshot) ? snapshot : {};
  const known = typeof named === 'string' ? named : null;
  if (isParked(status))
    return undecided(runId, known, `the run: its status is ${String(status)}, it waits for somebody`);
  const given = isUnknown ? Math.min(timeoutMs, UNKNOWN_MS) : timeoutMs;
  const source = await followRun({ ...patience, timeoutMs: given }, handle, runId);
  if (source.kind !== 'ended') return undecided(runId, known, `the run: ${source.reason}`);
  const workflowId = known ?? workflowIn(source.events[0]);
  const other = otherRun(source, runId);
  if (other !== undefined) return undecided(runId, workflowId, `the run's log is of the run ${other}`);
  const key = { 'idempotency-key': keyOf(audit.auditId, runId) };
  const fork = await forkRun(handle, runId, { mode: 'replay' }, key);
  if (fork.kind === 'refused') {
    const code = fork.code === undefined ? '' : ` ${JSON.stringify(fork.code)}`;
    return undecided(runId, workflowId, `the fork was answered with ${fork.status}${code}`);
  }
  if (fork.kind === 'failed') return undecided(runId, workflowId, `the fork: ${fork.reason}`);
  const open = (reason: string): AuditLine => ({ ...undecided(runId, workflowId, reason), replayRunId: fork.runId });
  if (fork.runId === runId) return undecided(runId, workflowId, 'the fork is its source');
  const owner = audit.replays.get(fork.runId) ?? runId;
  if (owner !== runId) return open(`the fork is the run that was made of ${owner}`);
  audit.replays.set(fork.runId, runId);
  const wrong = otherFork(fork.body, runId, source.events[0]);
  if (wrong !== undefined) return open(`the fork's answer says ${wrong}`);
  const replay = await followRun(patience, handle, fork.runId);
  if (replay.kind !== 'ended') return open(`the replay: ${replay.reason}`);
  const stray = otherRun(replay, fork.runId);
  if (stray !== undefined) return open(`the replay's log is of the run ${stray}`);
  const result = compareEvents(rawOf(source), rawOf(replay), { volatile: audit.volatile });
  return { ...judgeLogs(runId, workflowId, result), replayRunId: fork.runId };
}

/** A UUID (replay.md, Endpoint) that is the same each time: an audit that is gone on with makes no second replay. */
function keyOf(auditId: string, runId: string): string {
  const hex = createHash('sha256').update(`${auditId}:${runId}`).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

/** What an answer says of another fork than a replay of this run from its start (replay.md, Response); undefined where it says nothing of the kind. */
function otherFork(
  body: Readonly<Record<string, unknown>>,
  runId: string,
  first: RunEvent | undefined,
): string | undefined {
  const expected: readonly (readonly [name: string, allowed: readonly unknown[]])[] = [
    ['sourceRunId', [runId]],
    ['mode', ['replay']],
    ['fromSeq', [0, first?.sequence]],
  ];
  for (const [name, allowed] of expected) {
    const value = body[name];
    if (value !== undefined && !allowed.includes(value)) return `${name} ${JSON.stringify(value)}`;
  }
  return undefined;
}

type Ended = Extract<FollowedRun, { kind: 'ended' }>;

/** The run that a log's events name, in JSON, where it is another one. */
function otherRun({ events }: Ended, runId: string): string | undefined {
  const named = events[0]?.raw['runId'];
  return typeof named === 'string' && named !== runId ? JSON.stringify(named) : undefined;
}

function rawOf({ events }: Ended): readonly unknown[] {
  return events.map(({ raw }) => raw);
}
