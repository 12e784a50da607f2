import { isObject, stringMember } from '../../reference-host/json.ts';
import type { Fetch } from '../../reference-host/parts.ts';
import type { Liar } from './liar.ts';

const RUN = /^\/v1\/runs\/([^/:]+)$/u;
const FORK = /^\/v1\/runs\/([^/:]+):fork$/u;

/** Hosts that do nothing, whatever they are asked to run. */
export const LIARS_THAT_DO_NOTHING: readonly Liar[] = [
  {
    id: 'accepts-every-workflow',
    lies: 'Every workflow id is accepted, and each run does what conformance-noop does, under the name that was asked for.',
    parts: { middleware: doingNothing },
    everywhere: true,
    fails: ['run.error-envelope'],
    undecided: [
      'handoff.',
      'refusal.diverged',
      'replay.no-second-external-call',
      'replay.interrupt-short-circuits',
      'replay.recorded-facts-verbatim',
      'replay.version-pins-kept',
      'replay.logical-clock',
      'replay.same-failure',
      'sequence.nondeterministic-tool',
      'sequence.side-effects-cached',
      'sequence.content-addressed-tools',
      'sequence.parallel-branches',
      'sequence.not-a-copy',
      'privacy.same-redaction',
    ],
  },
];

function doingNothing(next: Fetch): Fetch {
  /** The workflow that a run is said to be of, by run id. */
  const names = new Map<string, string>();
  return async (request) => {
    const { pathname } = new URL(request.url);
    if (request.method === 'POST' && pathname === '/v1/runs') {
      const body: unknown = parsed(await request.text());
      const name = stringMember(body, 'workflowId');
      const sent = name === undefined || !isObject(body) ? body : { ...body, workflowId: 'conformance-noop' };
      const response = await next(withBody(request, sent));
      return remembered(response, name, names);
    }
    const [, source] = FORK.exec(pathname) ?? [];
    const [, run] = RUN.exec(pathname) ?? [];
    const response = await next(request);
    if (source !== undefined) return remembered(response, names.get(source), names);
    const name = run === undefined ? undefined : names.get(run);
    if (name === undefined || !response.ok) return response;
    const snapshot: unknown = await response.json();
    return Response.json(isObject(snapshot) ? { ...snapshot, workflowId: name } : snapshot, {
      status: response.status,
    });
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function withBody({ url, headers }: Request, body: unknown): Request {
  const changed = new Headers(headers);
  changed.delete('content-length');
  return new Request(url, {
    method: 'POST',
    headers: changed,
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
}

async function remembered(response: Response, name: string | undefined, names: Map<string, string>): Promise<Response> {
  const answer: unknown = parsed(await response.clone().text());
  const runId = stringMember(answer, 'runId');
  if (runId !== undefined && name !== undefined) names.set(runId, name);
  return response;
}
