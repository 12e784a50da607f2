import { readBody } from '../http/body.ts';
import type { Call, Route } from '../http/route.ts';
import type { Answer } from '../types/answers.ts';
import { respond } from '../types/answers.ts';

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
