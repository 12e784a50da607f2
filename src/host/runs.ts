import type { TransportFailure } from '../evidence/types.ts';
import { RUNS_PATH, forkPath } from '../protocol/paths.ts';
import { isSuccess } from '../protocol/status.ts';
import type { Exchange, HostHandle } from './client.ts';
import { answeredWith, answerText, idBeyond, redirectedTo, withinBounds } from './exchanged.ts';
import { isRecord } from './run-event.ts';

/** A run that a host created, or why there is none; `exchange` is the evidence either way. */
export type StartedRun =
  | {
      readonly kind: 'started';
      readonly runId: string;
      readonly status: number;
      /** The answer's body. */
      readonly body: Readonly<Record<string, unknown>>;
      readonly exchange: string;
    }
  | {
      readonly kind: 'refused';
      readonly status: number;
      /** The code in the host's error envelope, and the message beside it, where it has one. */
      readonly code?: string;
      readonly message?: string;
      /** Where a redirect leads that stands in its place. */
      readonly location?: string;
      readonly exchange: string;
    }
  | {
      readonly kind: 'failed';
      readonly reason: string;
      /** Where there was no answer. */
      readonly failure?: TransportFailure;
      /** Of an answer that names no run which can be asked for; undefined where there was no answer. */
      readonly status?: number;
      readonly exchange: string;
    };

/** The body of POST /v1/runs, as far as scenarios need it. */
export interface RunRequest {
  readonly workflowId: string;
  readonly inputs?: Readonly<Record<string, unknown>>;
  readonly configurable?: Readonly<Record<string, unknown>>;
  readonly tags?: readonly string[];
  readonly metadata?: Readonly<Record<string, unknown>>;
}

/** POST /v1/runs: starts a workflow with the given inputs; a body that is a text is sent as it is. */
export async function createRun(
  handle: HostHandle,
  request: RunRequest | string,
  headers: Readonly<Record<string, string>> = {},
): Promise<StartedRun> {
  const body = typeof request === 'string' ? request : JSON.stringify(request);
  return readStarted(await handle.exchange({ method: 'POST', path: RUNS_PATH, body, headers }));
}

/** POST /v1/runs/{runId}:fork with the given body (replay.md, Endpoint). */
export async function forkRun(
  handle: HostHandle,
  runId: string,
  body: Readonly<Record<string, unknown>>,
  headers: Readonly<Record<string, string>> = {},
): Promise<StartedRun> {
  const path = forkPath(runId);
  return readStarted(await handle.exchange({ method: 'POST', path, body: JSON.stringify(body), headers }));
}

/** What came of a request for a run. A refusal says by its status alone that there is none. */
function readStarted(answer: Exchange): StartedRun {
  const exchange = isSuccess(answeredWith(answer)) ? withinBounds(answer) : answer;
  const evidence = { exchange: exchange.id };
  if (exchange.kind === 'failure') {
    return { kind: 'failed', reason: answerText(exchange), failure: exchange.reason, ...evidence };
  }
  const { status } = exchange;
  if (!isSuccess(status)) {
    const { error, message } = exchange.json.ok && isRecord(exchange.json.value) ? exchange.json.value : {};
    const said = typeof message === 'string' ? { message } : {};
    const code = typeof error === 'string' ? { code: error, ...said } : {};
    const location = redirectedTo(exchange);
    return { kind: 'refused', status, ...code, ...(location === undefined ? {} : { location }), ...evidence };
  }
  const body = exchange.json.ok && isRecord(exchange.json.value) ? exchange.json.value : {};
  const runId = Object.hasOwn(body, 'runId') ? body['runId'] : undefined;
  if (typeof runId !== 'string' || runId === '') {
    const reason = exchange.json.ok ? 'the answer names no runId' : exchange.json.message;
    return { kind: 'failed', reason, status, ...evidence };
  }
  if (!canStandInPath(runId)) return { kind: 'failed', reason: 'the runId cannot stand in a URL', status, ...evidence };
  return { kind: 'started', runId, status, body, ...evidence };
}

/** Whether a run id can be asked for: a lone surrogate has no percent-encoding, and `.` and `..` would name another resource. */
export function canStandInPath(runId: string): boolean {
  return idBeyond(runId) === undefined && runId.isWellFormed() && runId !== '.' && runId !== '..';
}
