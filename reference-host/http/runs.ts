import type { RunService } from '../engine/run-service.ts';
import { FROM_OUTSIDE, snapshot } from '../engine/snapshot.ts';
import { isRunId } from '../ids.ts';
import type { RunRecord } from '../store/runs.ts';
import { respond, runNotFound } from '../types/answers.ts';
import type { Call, Host, Route } from './route.ts';

/** Reading and cancelling a run. */
export function runRoutes({ runs, parts, redactor }: Host): readonly Route[] {
  return [
    {
      method: 'GET',
      path: '/v1/runs/{runId}',
      operationId: 'readRun',
      summary: 'A run as it stands',
      access: ['runs:read'],
      answers: { 200: 'The snapshot', 404: 'There is no such run' },
      handle: withRun(runs, (run) => {
        const shown = redactor.members({ run, surface: 'snapshot' }, snapshot(runs.view(run)), FROM_OUTSIDE);
        return respond({ status: 200, body: parts.snapshotOnWire(shown) });
      }),
    },
    {
      method: 'POST',
      path: '/v1/runs/{runId}/cancel',
      operationId: 'cancelRun',
      summary: 'End a run; a run that has ended stays as it is',
      access: ['runs:cancel'],
      answers: { 200: 'The status after it', 404: 'There is no such run' },
      handle: withRun(runs, (run) => {
        runs.cancel(run);
        return respond({ status: 200, body: { runId: run.runId, status: runs.view(run).state.status } });
      }),
    },
  ];
}

/** A handler that gets the run of the path, and answers 404 where the caller has none of that id. */
export function withRun(
  runs: RunService,
  handle: (run: RunRecord, call: Call) => Response | Promise<Response>,
): Route['handle'] {
  return (call) => {
    const runId = call.params['runId'] ?? '';
    const run = isRunId(runId) ? runs.find(call.tenant, runId) : undefined;
    return run === undefined ? respond(runNotFound()) : handle(run, call);
  };
}
