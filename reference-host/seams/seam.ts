import { readBody } from '../http/body.ts';
import type { MockProvider } from '../engine/mock-provider.ts';
import type { Call, Host, Route } from '../http/route.ts';
import { isRunId } from '../ids.ts';
import { stringMember } from '../json.ts';
import type { Plants } from '../ledger/plants.ts';
import type { LedgerDiary } from '../ledger/worker.ts';
import type { Failpoints } from '../store/failpoints.ts';
import type { RunRecord } from '../store/runs.ts';
import { invalid, respond, runNotFound, type Answer } from '../types/answers.ts';

/** What the test-only endpoints of one host work with. */
export interface SeamHost extends Host {
  readonly provider: MockProvider;
  readonly failpoints: Failpoints;
  readonly diary: LedgerDiary;
  readonly plants: Plants;
}

const ROOT = '/v1/host/sample/test';

/** The body of a request to a test-only endpoint. */
export interface SeamBody {
  readonly text: string;
  readonly value: unknown;
}

/** A test-only endpoint without its answer. */
export function seam(path: string, summary: string, more: Route['answers'] = {}): Omit<Route, 'handle'> {
  const operationId = `seam-${path.replace('/', '-')}`;
  const answers = { 200: 'Done', 400: 'The body is malformed', 413: 'The body is too large', ...more };
  return { method: 'POST', path: `${ROOT}/${path}`, operationId, summary, access: [], answers };
}

/** Answers with what `answer` makes of the body. */
export function seamHandler(answer: (body: SeamBody, call: Call) => Answer): Route['handle'] {
  return async (call) => {
    const body = await readBody(call.request);
    return respond(body.ok ? answer(body, call) : body.answer);
  };
}

/** Answers about the run that the body names, where it is the caller's. */
export function ofRun({ runs }: Host, answer: (run: RunRecord, body: unknown) => Answer): Route['handle'] {
  return seamHandler(({ value }, { tenant }) => {
    const runId = stringMember(value, 'runId');
    if (runId === undefined) return invalid('runId must be a string.');
    const run = isRunId(runId) ? runs.find(tenant, runId) : undefined;
    return run === undefined ? runNotFound() : answer(run, value);
  });
}
