import { isObject, parseJson } from '../../reference-host/json.ts';
import type { Fetch, HostParts } from '../../reference-host/parts.ts';
import type { Liar } from './liar.ts';

interface Posted {
  readonly method: string;
  readonly path: string;
  readonly headers: object;
  /** The body where it is a JSON object, else its text. */
  readonly body: object;
}

/** A faultless advertisement, and one way to answer everything else: 201 to what is posted, 200 to what is read. */
function answering(begin: () => (posted: Posted) => unknown): Partial<HostParts> {
  return {
    middleware: (next: Fetch): Fetch => {
      const answer = begin();
      return async (request) => {
        const { method, headers, url } = request;
        const path = new URL(url).pathname;
        if (path === '/.well-known/openwop') return next(request);
        const text = method === 'GET' ? '' : await request.text();
        const reading = parseJson(text);
        const body = reading.ok && isObject(reading.value) ? reading.value : { text };
        return Response.json(answer({ method, path, headers: Object.fromEntries(headers), body }), {
          status: method === 'GET' ? 200 : 201,
        });
      };
    },
  };
}

/** The same end of every run, at every path. */
function ended(runId: string): object {
  const event = { eventId: `evt_${runId}`, runId, type: 'run.completed', sequence: 0, payload: {} };
  const log = { events: [{ ...event, timestamp: '2026-01-01T00:00:00Z' }], isComplete: true };
  return { ...log, runId, workflowId: 'any', status: 'completed', variables: {}, channels: {} };
}

const ANYTHING = [
  'cache-key.',
  'replay.',
  'refusal.',
  'sequence.',
  'handoff.',
  'once.',
  'privacy.',
  'score.',
  'region.',
];

export const ECHOES: readonly Liar[] = [
  {
    id: 'echo',
    lies: 'Each request is answered with what it holds.',
    parts: answering(() => ({ body, ...request }) => ({ ...request, ...body })),
    fails: ['run.created'],
    undecided: [...ANYTHING, 'fork.', 'annotation.', 'recovery.'],
  },
  {
    id: 'last-posted',
    lies: 'Everything that is posted makes a run, and whatever is read shows what was posted last.',
    parts: answering(() => {
      let [last, count]: [object, number] = [{}, 0];
      return ({ method, body }) => {
        if (method === 'GET') return last;
        count += 1;
        last = { runId: `run_${count}`, status: 'completed', ...body };
        return last;
      };
    }),
    fails: ['cache-key.reproducible-offline.golden'],
    undecided: [...ANYTHING, 'fork.', 'annotation.', 'recovery.'],
    timeoutMs: 300,
  },
  {
    id: 'everything-ends',
    lies: 'Everything that is posted makes a run, and every run completed with nothing done.',
    parts: answering(() => {
      let count = 0;
      return ({ method, path, body }) => {
        const [, of = ''] = /^\/v1\/runs\/([^/:]+)/.exec(path) ?? [];
        if (method === 'GET') return ended(of);
        count += 1;
        const runId = `run_${count}`;
        const eventsUrl = `/v1/runs/${runId}/events`;
        return { fromSeq: 0, ...body, runId, sourceRunId: of, status: 'completed', eventsUrl };
      };
    }),
    fails: ['cache-key.reproducible-offline.golden'],
    undecided: ANYTHING,
  },
];
