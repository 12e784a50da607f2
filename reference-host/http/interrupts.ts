import type { RunService } from '../engine/run-service.ts';
import { isObject, member } from '../json.ts';
import type { RunRecord } from '../store/runs.ts';
import { invalid, refusal, respond, type Answer } from '../types/answers.ts';
import { readBody } from './body.ts';
import type { Call, Host, Route } from './route.ts';
import { withRun } from './runs.ts';

/** POST /v1/runs/{runId}/interrupts/{nodeId}: answers the question that a node has asked. */
export function interruptRoute({ runs }: Host): Route {
  return {
    method: 'POST',
    path: '/v1/runs/{runId}/interrupts/{nodeId}',
    operationId: 'resolveInterrupt',
    summary: 'Answer the question of a node that waits',
    access: ['approvals:respond'],
    answers: {
      200: 'The answer is in the log, and the run goes on',
      400: 'The body has no resumeValue',
      404: 'There is no such run, or its node has asked nothing',
      409: 'The question is already answered',
      413: 'The body is too large',
      422: 'The run has ended',
    },
    handle: withRun(runs, async (run, call) => respond(await resolve(runs, run, call))),
  };
}

async function resolve(runs: RunService, run: RunRecord, { request, params }: Call): Promise<Answer> {
  const body = await readBody(request);
  if (!body.ok) return body.answer;
  if (!isObject(body.value) || !Object.hasOwn(body.value, 'resumeValue')) {
    return invalid('The body must be an object with a resumeValue.');
  }
  const nodeId = params['nodeId'] ?? '';
  const resolution = await runs.resolve({ run, nodeId, resumeValue: member(body.value, 'resumeValue') });
  switch (resolution.kind) {
    case 'resolved': {
      const { interruptId } = resolution;
      return { status: 200, body: { runId: run.runId, nodeId, interruptId, status: runs.view(run).state.status } };
    }
    case 'no such interrupt':
      return refusal(404, 'interrupt_not_found', 'The node of this run has asked nothing.');
    case 'already resolved':
      return refusal(409, 'interrupt_already_resolved', 'The question of this node is already answered.');
    case 'run is over':
      return refusal(422, 'run_ended', 'The run has ended.', { status: resolution.status });
  }
}
