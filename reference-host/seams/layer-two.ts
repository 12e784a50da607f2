import type { RunService } from '../engine/run-service.ts';
import type { Route } from '../http/route.ts';
import { isRunId } from '../ids.ts';
import { stringMember } from '../json.ts';
import type { HostParts } from '../parts.ts';
import type { ResponseCache } from '../store/response-cache.ts';
import type { Answer } from '../types/answers.ts';
import { invalid, runNotFound } from '../types/answers.ts';
import { seam, seamHandler } from './seam.ts';

export interface LayerTwoSeamParts {
  readonly parts: HostParts;
  readonly responses: ResponseCache;
  readonly runs: RunService;
}

/** The test-only endpoint that shows under which Layer-2 ids a run's provider calls are kept. */
export function layerTwoSeamRoute(shared: LayerTwoSeamParts): Route {
  return {
    ...seam('layer-two', "The Layer-2 ids of a run's provider calls", { 404: 'There is no such run' }),
    handle: seamHandler(({ value }, { tenant }) => layerTwo(shared, tenant, stringMember(value, 'runId'))),
  };
}

function layerTwo({ parts, responses, runs }: LayerTwoSeamParts, tenant: string, runId: string | undefined): Answer {
  if (runId === undefined) return invalid('runId must be a string.');
  if (!isRunId(runId) || runs.find(tenant, runId) === undefined) return runNotFound();
  return { status: 200, body: { invocations: responses.invocations(parts.llmCache.namespace(tenant), runId) } };
}
