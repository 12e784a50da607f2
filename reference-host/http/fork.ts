import type { ForkRequest } from '../engine/run-service.ts';
import { recordAudit, refusedFork } from '../governance/forking.ts';
import { isObject, member } from '../json.ts';
import type { RunRecord } from '../store/runs.ts';
import { recordTraceParent } from '../telemetry/traceparent.ts';
import { invalid, refusal, type Answer } from '../types/answers.ts';
import { once } from './idempotency.ts';
import type { Call, Host, Route } from './route.ts';
import { runsUsedUp } from './limits.ts';
import { runOptionsProblem } from './create-run.ts';
import { withRun } from './runs.ts';

/** POST /v1/runs/{runId}:fork (replay.md, Endpoint). */
export function forkRoute(host: Host): Route {
  return {
    method: 'POST',
    path: '/v1/runs/{runId}:fork',
    operationId: 'forkRun',
    summary: 'Execute a run again from a point of its history',
    access: ['runs:create', 'runs:read'],
    answers: {
      201: 'The fork has started',
      400: 'The body is not a fork request that this host carries out',
      404: 'There is no such run',
      409: 'The Idempotency-Key was used with another body',
      410: 'Events or data that the fork needs are gone',
      413: 'The body is too large',
      422: 'The log has no such sequence number',
      429: 'The tenant has as many runs as it may have',
    },
    handle: withRun(host.runs, (run, call) =>
      once(host.store, call, {
        step: 'create-fork',
        endpoint: `forkRun ${run.runId}`,
        create: (body) => fork(host, { source: run, call }, body),
      }),
    ),
  };
}

function fork(
  host: Host,
  { source, call }: { readonly source: RunRecord; readonly call: Call },
  body: unknown,
): Answer {
  const { store, runs } = host;
  const request = readForkRequest(body);
  if (typeof request === 'string') return invalid(request);
  const { fromSeq } = request;
  const last = store.events.last(source.runId)?.sequence ?? 0;
  if (fromSeq > last) {
    const details = { sourceRunId: source.runId, fromSeq, lastSequence: last };
    return refusal(422, 'sequence_not_found', 'The source run has no such sequence number.', details);
  }
  if (host.workflows.get(source.workflowId, source.tenant) === undefined) {
    return refusal(410, 'workflow_removed', 'The workflow of this run is gone.');
  }
  const isExplicit = member(body, 'fromSeq') !== undefined;
  const refused = refusedFork(host, source, { ...request, sourceRunId: source.runId, isExplicit });
  if (refused !== undefined) return refused;
  const full = runsUsedUp(store, source.tenant, host.limits);
  if (full !== undefined) return full;
  const run = runs.fork(source, request);
  recordAudit(host, source, run);
  recordTraceParent(store.traceParents, run.runId, call.request.headers);
  const { status } = runs.view(run).state;
  const answer = { runId: run.runId, sourceRunId: source.runId, fromSeq, mode: request.mode, status };
  return { status: 201, body: { ...answer, eventsUrl: `/v1/runs/${run.runId}/events` } };
}

/** The fork that a body asks for, or what is wrong with it (replay.md, Endpoint and Replay-mode defaults). */
function readForkRequest(body: unknown): ForkRequest | string {
  if (!isObject(body)) return 'The body must be a JSON object.';
  const mode = member(body, 'mode');
  if (mode !== 'replay' && mode !== 'branch') return 'mode must be "replay" or "branch".';
  const overlay = member(body, 'runOptionsOverlay') ?? {};
  if (!isObject(overlay)) return 'runOptionsOverlay must be an object.';
  if (mode === 'replay' && Object.keys(overlay).length > 0) {
    return 'A replay takes no runOptionsOverlay: it would not be deterministic.';
  }
  const problem = runOptionsProblem(overlay);
  if (problem !== undefined) return `runOptionsOverlay: ${problem}`;
  const fromSeq = member(body, 'fromSeq') ?? (mode === 'replay' ? 0 : undefined);
  if (fromSeq === undefined) return 'A branch needs fromSeq: it has no natural default.';
  if (typeof fromSeq !== 'number' || !Number.isSafeInteger(fromSeq) || fromSeq < 0) {
    return 'fromSeq must be a non-negative integer.';
  }
  return { mode, fromSeq, overlay };
}
