import type { DiffResult, LogEvent } from '../event-log/index.ts';
import { isEnded } from '../protocol/run-status.ts';
import type { AuditedDivergence, AuditLine } from './line.ts';
import { cut } from '../evidence/cut.ts';

/** The line about a source and its replay, from their comparison (RFC 0041 §C; replay.md, Determinism). Pure. */
export function judgeLogs(id: string, workflowId: string | null, result: DiffResult): AuditLine {
  if (!result.ok) return undecided(id, workflowId, `the ${result.side}'s log: ${result.at}: ${result.message}`);
  const { first, reported, determinism, status } = result.diff;
  const { score, comparedEvents: compared, matchedEvents: matched } = determinism;
  if (score === null) return undecided(id, workflowId, 'neither log has an event to compare');
  const counts = { compared, matched };
  const divergence = first === undefined ? reported && reportOf(reported) : divergenceOf(first);
  if (divergence === undefined) {
    // What two logs have in common shows nothing where both may go on, or are one.
    if (!isEnded(status)) return undecided(id, workflowId, 'the logs are the same, and neither has a terminal event');
    const { sourceRunId, replayRunId } = determinism;
    const isOne = sourceRunId !== null && sourceRunId === replayRunId;
    if (isOne) return undecided(id, workflowId, `both logs are of the run ${JSON.stringify(sourceRunId)}`);
    return { id, verdict: 'same', workflowId, ...counts };
  }
  return { id, verdict: 'diverged', workflowId, ...counts, divergence };
}

/** The line about a run that could not be compared. */
export function undecided(id: string, workflowId: string | null, reason: string): AuditLine {
  return { id, verdict: 'undecided', workflowId, reason: cut(reason, REASON_CHARACTERS).toWellFormed() };
}

const REASON_CHARACTERS = 500;

type First = NonNullable<Extract<DiffResult, { ok: true }>['diff']['first']>;

function divergenceOf({ class: name, pointer, sequence, event }: First): AuditedDivergence {
  const observed = event.source ?? event.replay;
  return { class: name, pointer, sequence, type: observed?.type ?? '', nodeId: observed?.nodeId ?? null };
}

/** What a host says of a replay that shows nothing else: it is not the same. */
function reportOf({ type, sequence, nodeId }: LogEvent): AuditedDivergence {
  return { class: 'reported', pointer: '', sequence: { source: null, replay: sequence }, type, nodeId: nodeId ?? null };
}

/** The workflow that a log's first event names. */
export function workflowIn(first: { readonly payload: unknown } | undefined): string | null {
  const payload = first?.payload;
  if (typeof payload !== 'object' || payload === null || !Object.hasOwn(payload, 'workflowId')) return null;
  const named: unknown = Reflect.get(payload, 'workflowId');
  return typeof named === 'string' ? named : null;
}
