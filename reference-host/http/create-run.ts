import { isObject, member, type JsonObject } from '../json.ts';
import { recordTraceParent } from '../telemetry/traceparent.ts';
import { invalid, refusal, type Answer } from '../types/answers.ts';
import type { Workflow } from '../types/workflow.ts';
import { once } from './idempotency.ts';
import { runsUsedUp } from './limits.ts';
import type { Call, Host, Route } from './route.ts';
import { workflowNotFound } from './workflows.ts';

/** POST /v1/runs. */
export function createRunRoute(host: Host): Route {
  return {
    method: 'POST',
    path: '/v1/runs',
    operationId: 'createRun',
    summary: 'Start a run of a workflow',
    access: ['runs:create'],
    answers: {
      201: 'The run has started',
      400: 'The body is not a run request',
      404: 'There is no such workflow',
      409: 'The Idempotency-Key was used with another body',
      413: 'The body is too large',
      429: 'The tenant has as many runs as it may have',
    },
    handle: (call) =>
      once(host.store, call, {
        endpoint: 'createRun',
        step: 'create-run',
        create: (body) => createRun(host, call, body),
      }),
  };
}

function createRun({ store, runs, workflows, limits }: Host, { request, tenant }: Call, body: unknown): Answer {
  if (!isObject(body)) return invalid('The body must be a JSON object.');
  const problem = problemIn(body);
  if (problem !== undefined) return invalid(problem);
  const tenantId = member(body, 'tenantId');
  if (tenantId !== undefined && tenantId !== tenant) {
    return refusal(403, 'forbidden', 'The credential does not belong to this tenant.');
  }
  const workflow = workflows.get(String(member(body, 'workflowId')), tenant);
  if (workflow === undefined) return workflowNotFound();
  const full = runsUsedUp(store, tenant, limits);
  if (full !== undefined) return full;
  const run = runs.create(tenant, workflow, runOptions(workflow, body));
  recordTraceParent(store.traceParents, run.runId, request.headers);
  const { status } = runs.view(run).state;
  const url = `/v1/runs/${run.runId}`;
  return { status: 201, body: { runId: run.runId, status, eventsUrl: `${url}/events`, statusUrl: url } };
}

function problemIn(body: JsonObject): string | undefined {
  const workflowId = member(body, 'workflowId');
  if (typeof workflowId !== 'string' || workflowId === '') return 'workflowId must be a non-empty string.';
  for (const name of ['tenantId', 'scopeId']) {
    const value = member(body, name);
    if (value !== undefined && typeof value !== 'string') return `${name} must be a string.`;
  }
  return runOptionsProblem(body);
}

/** The payload of run.started: all that a replay needs to start again. */
function runOptions(workflow: Workflow, body: JsonObject): JsonObject {
  return {
    workflowId: workflow.id,
    inputs: member(body, 'inputs') ?? {},
    configurable: member(body, 'configurable') ?? {},
    tags: member(body, 'tags') ?? [],
    metadata: member(body, 'metadata') ?? {},
  };
}

/** What is wrong with the run options among an object's members, or undefined; other members are left alone. */
export function runOptionsProblem(options: JsonObject): string | undefined {
  for (const name of ['inputs', 'configurable', 'metadata']) {
    const value = member(options, name);
    if (value !== undefined && !isObject(value)) return `${name} must be an object.`;
  }
  const tags = member(options, 'tags') ?? [];
  const strings = Array.isArray(tags) && tags.every((tag) => typeof tag === 'string');
  return strings ? undefined : 'tags must be an array of strings.';
}
