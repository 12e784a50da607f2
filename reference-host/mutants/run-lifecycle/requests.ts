import { randomUUID } from 'node:crypto';
import type { JsonObject } from '../../json.ts';
import type { Fetch, HostParts } from '../../parts.ts';
import { refusal, respond } from '../../types/answers.ts';
import type { Defects, Parts } from '../mutant.ts';
import { withCredential, without } from '../shared/fork-parts.ts';
import { createMeeting } from '../shared/meeting.ts';
import { knowingForks, noticing, knowingCreators } from '../shared/run-memory.ts';
import { answered, answeredInstead, answering, changingFrames, withQuery } from '../shared/run-wire.ts';

const EVENTS = /^\/v1\/runs\/[^/]+\/events$/u;

const CREATION = /^\/v1\/runs$/u;
const LOG = /^\/v1\/runs\/([^/:]+)\/events/u;
const CANCELLATION = /^\/v1\/runs\/([^/:]+)\/cancel$/u;
const SNAPSHOT = /^\/v1\/runs\/[^/:]+$/u;

/** Changes requests for runs before the host sees them. */
function requesting(change: (request: Request) => Request | Promise<Request>): () => Partial<HostParts> {
  return () => ({
    middleware: (next) => async (request) => {
      const isMeant = request.method === 'POST' && CREATION.test(new URL(request.url).pathname);
      return next(isMeant ? await change(request) : request);
    },
  });
}

/** A request under other headers. */
function under(request: Request, headers: Headers): Promise<Request> {
  return request
    .arrayBuffer()
    .then((body) => new Request(request.url, { method: 'POST', headers: without(headers, 'content-length'), body }));
}

const OF_A_RUN = /^\/v1\/runs\/([^/:]+)/u;
const ACTS = /\/(?:cancel|interrupts\/[^/]+|annotations)$/u;
const ANY_UUID = /^Bearer [\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/u;

/** Some requests about a run are taken for those of whoever made it. */
function asItsOwner(isMeant: (request: Request, path: string) => boolean): Parts {
  return knowingCreators(async (request, next, owners) => {
    const { pathname } = new URL(request.url);
    const owner = owners.get(OF_A_RUN.exec(pathname)?.[1] ?? '');
    if (owner === undefined || !isMeant(request, pathname)) return next(request);
    const headers = withCredential(request.headers, owner);
    return next(request.method === 'POST' ? await under(request, headers) : new Request(request, { headers }));
  });
}

/** Says something else in the answers that cancel runs; `isMeant` says of which. */
function cancelled(said: JsonObject, isMeant: (runId: string) => boolean = () => true): Parts {
  return answered('POST', CANCELLATION, async (answer, { url }) => {
    const body: unknown = await answer.json();
    const [, runId = ''] = CANCELLATION.exec(new URL(url).pathname) ?? [];
    return Response.json(answer.ok && isMeant(runId) ? { ...Object(body), ...said } : body, answer);
  });
}

/** Says of runs that are to be cancelled that they are, and does nothing. */
function saidToBe(status: string, over = new Set<unknown>()): Parts {
  return answering('POST', CANCELLATION, (response, request) => {
    if (!request.headers.has('authorization')) return response();
    const [, runId = ''] = CANCELLATION.exec(new URL(request.url).pathname) ?? [];
    over.add(runId);
    return Response.json({ runId, status });
  });
}

/** The same, and snapshots of this status show it. */
function inTheSnapshotAlone(status: string): Parts {
  return (conformant) => {
    const over = new Set<unknown>();
    return {
      ...saidToBe('cancelled', over)(conformant),
      snapshotOnWire: (snapshot) =>
        over.has(snapshot.runId) && snapshot.status === status ? { ...snapshot, status: 'cancelled' } : snapshot,
    };
  };
}

const ASKS = /"conformance-(?:approval|clarification|determinism-interrupt|interrupt-[a-z-]+)"/u;

/** A host that runs nothing that asks. */
function unasked(next: Fetch): Fetch {
  return async (request) => {
    const isMeant = request.method === 'POST' && CREATION.test(new URL(request.url).pathname);
    return isMeant && ASKS.test(await request.clone().text())
      ? respond(refusal(404, 'workflow_not_found', 'There is no such workflow.'))
      : next(request);
  };
}

/** A stream that is there and shows no event. */
function emptyStream(): Response {
  return new Response(': nothing to show\n\n', { headers: { 'content-type': 'text/event-stream' } });
}

/** What POST /v1/runs, the readings of a run and its stream modes answer. */
export const defects: Defects = {
  'create-key-ignored': {
    breaks: 'An Idempotency-Key on POST /v1/runs is ignored.',
    kills: ['run.create-idempotency'],
    parts: () => {
      const seen = new Set<string>();
      return requesting((request) => {
        const key = request.headers.get('idempotency-key') ?? '';
        if (seen.has(key)) return under(request, without(request.headers, 'idempotency-key'));
        seen.add(key);
        return request;
      })();
    },
  },
  'create-key-takes-other-body': {
    breaks: 'POST /v1/runs answers another body under a key with the run of the first one.',
    kills: ['run.create-idempotency'],
    parts: () => {
      const made = new Map<string, Response>();
      return answering('POST', CREATION, async (response, { headers }) => {
        const key = headers.get('idempotency-key') ?? randomUUID();
        const stored = made.get(key);
        if (stored !== undefined) return stored.clone();
        const first = await response();
        if (first.status === 201) made.set(key, first.clone());
        return first;
      })();
    },
  },
  'create-duplicate-unmarked': {
    breaks:
      'A duplicate of POST /v1/runs under its Idempotency-Key gets the stored answer without saying that it is one.',
    kills: ['run.create-idempotency'],
    parts: answered('POST', CREATION, ({ status, headers, body }) => {
      return new Response(body, { status, headers: without(headers, 'openwop-idempotent-replay') });
    }),
  },
  'create-always-marked-as-stored': {
    breaks: 'Every answer to POST /v1/runs under an Idempotency-Key says that it is a stored one, the first one, too.',
    kills: ['run.create-idempotency'],
    parts: answered('POST', CREATION, ({ status, headers, body }, request) => {
      const marked = new Headers(headers);
      if (request.headers.has('idempotency-key')) marked.set('openwop-Idempotent-Replay', 'true');
      return new Response(body, { status, headers: marked });
    }),
  },
  'create-key-across-tenants': {
    breaks: "POST /v1/runs answers another tenant's request under a key with the run of the first one.",
    kills: ['run.create-idempotency'],
    parts: () => {
      const made = new Map<string, { readonly by: string | null; readonly answer: Response }>();
      return answering('POST', CREATION, async (response, { headers }) => {
        const key = headers.get('idempotency-key') ?? randomUUID();
        const by = headers.get('authorization');
        const stored = made.get(key);
        if (stored !== undefined && stored.by !== by) return stored.answer.clone();
        const first = await response();
        if (first.status === 201) made.set(key, { by, answer: first.clone() });
        return first;
      })();
    },
  },
  'create-key-across-endpoints': {
    breaks: 'A fork under the Idempotency-Key of a run is answered with that run.',
    kills: ['run.create-idempotency'],
    parts: () => {
      const made = new Map<string, Response>();
      return {
        middleware: (next) => async (request) => {
          const { pathname } = new URL(request.url);
          const key = request.headers.get('idempotency-key') ?? randomUUID();
          const stored = pathname.endsWith(':fork') ? made.get(key) : undefined;
          if (stored !== undefined) return stored.clone();
          const response = await next(request);
          const isFirst = CREATION.test(pathname) && response.status === 201 && !made.has(key);
          if (isFirst) made.set(key, response.clone());
          return response;
        },
      };
    },
  },
  'create-key-held-for-forks': {
    breaks: 'A fork under the Idempotency-Key of a run is refused with 409.',
    kills: ['run.create-idempotency'],
    parts: () => {
      const used = new Set<string>();
      return {
        middleware: (next) => async (request) => {
          const { pathname } = new URL(request.url);
          const key = request.headers.get('idempotency-key');
          if (key !== null && CREATION.test(pathname)) used.add(key);
          const isHeld = key !== null && pathname.endsWith(':fork') && used.has(key);
          return isHeld ? respond(refusal(409, 'idempotency_key_conflict', 'The key was used.')) : next(request);
        },
      };
    },
  },
  'create-key-racy': {
    breaks: 'Requests for a run under one Idempotency-Key that come at the same time do not see each other.',
    kills: ['run.create-idempotency.at-once'],
    parts: () => {
      const meet = createMeeting();
      const made = new Set<string>();
      return requesting(async (request) => {
        const key = request.headers.get('idempotency-key') ?? '';
        if (key === '' || made.has(key)) return request;
        const isLater = (await meet(key)) === 'later';
        made.add(key);
        return isLater ? under(request, without(request.headers, 'idempotency-key')) : request;
      })();
    },
  },
  'cancel-names-another-run': {
    breaks: 'The answer to the cancellation of a run names another run.',
    kills: ['run.cancel'],
    parts: cancelled({ runId: 'run_other' }),
  },
  'cancel-says-completed': {
    breaks: 'The answer to the cancellation of a run says that it has completed.',
    kills: ['run.cancel'],
    parts: cancelled({ status: 'completed' }),
  },
  'cancel-of-an-ended-run-says-cancelled': {
    breaks: 'The answer to the cancellation of a run that has ended says that it was cancelled.',
    kills: ['run.cancel'],
    seenIn: 'sequence.readings',
    parts: cancelled({ status: 'cancelled' }),
  },
  'cancel-of-a-fork-names-another-run': {
    breaks: 'The answer to the cancellation of a fork names another run.',
    kills: ['run.cancel'],
    seenIn: 'fork.branch-is-independent.waiting',
    parts: knowingForks((modeOf) => cancelled({ runId: 'run_other' }, (runId) => modeOf(runId) !== undefined)),
  },
  'cancel-answered-ok-alone': {
    breaks: 'The answer to the cancellation of a run says that it is well, and neither names the run nor its status.',
    kills: ['run.cancel'],
    parts: answered('POST', CANCELLATION, (answer) => (answer.ok ? Response.json({ ok: true }) : answer)),
  },
  'cancel-of-no-run-answered': {
    breaks: 'A run that there is not is said to be cancelled.',
    kills: ['run.cancel'],
    parts: () => ({
      middleware: (next) => {
        const made = new Set<string>();
        const cancelling: Fetch = async (request) => {
          const response = await next(request);
          const [, runId = ''] = CANCELLATION.exec(new URL(request.url).pathname) ?? [];
          const isMeant = runId !== '' && response.status === 404 && !made.has(runId);
          return isMeant ? Response.json({ runId, status: 'cancelled' }) : response;
        };
        return noticing(cancelling, /^\/v1\/runs(?:\/[^/]+:fork)?$/u, ({ runId }) => void made.add(runId));
      },
    }),
  },
  'cancel-does-nothing': {
    breaks: 'A run that is said to be cancelled waits as before.',
    kills: ['run.cancel'],
    waits: true,
    parts: saidToBe('cancelled'),
  },
  'cancel-in-the-snapshot-alone': {
    breaks: 'A run that is cancelled is so in its snapshot, and its log and its streams do not end.',
    kills: ['run.cancel', 'sequence.single-terminal-event'],
    waits: true,
    parts: inTheSnapshotAlone('waiting-approval'),
  },
  'cancel-by-the-clock-in-the-snapshot-alone': {
    breaks: 'A host that runs nothing that asks shows that a run was cancelled in its snapshot alone.',
    kills: ['run.cancel', 'sequence.single-terminal-event'],
    waits: true,
    parts: (conformant) => {
      const { middleware = (next: Fetch) => next, ...parts } = inTheSnapshotAlone('running')(conformant);
      return { ...parts, middleware: (next) => unasked(middleware(next)) };
    },
  },
  'cancel-is-never-done': {
    breaks: 'A run that is said to be about to be cancelled waits as before, and goes on when it is answered.',
    kills: ['run.cancel'],
    waits: true,
    parts: saidToBe('cancelling'),
  },
  'create-refuses-in-text': {
    breaks: 'POST /v1/runs refuses in plain text.',
    kills: ['run.error-envelope'],
    parts: answered('POST', CREATION, (made) =>
      made.status === 400 || made.status === 404 ? new Response('Bad request', { status: made.status }) : made,
    ),
  },
  'unknown-snapshot-is-empty': {
    breaks: 'The snapshot of a run that there is not is an empty object.',
    kills: ['run.error-envelope'],
    parts: answeredInstead('GET', SNAPSHOT, 404, () => Response.json({})),
  },
  'unknown-snapshot-is-gone': {
    breaks: 'The snapshot of a run that there is not is refused as one of a run that is gone.',
    kills: ['run.error-envelope'],
    parts: answered('GET', SNAPSHOT, (read) =>
      read.status === 404 ? new Response(read.body, { status: 410, headers: read.headers }) : read,
    ),
  },
  'unknown-stream-is-empty': {
    breaks: 'The stream of a run that there is not is there and shows no event.',
    kills: ['run.error-envelope'],
    parts: answered('GET', EVENTS, async (read, request) => {
      const isMeant = read.status === 404 && request.headers.get('accept') === 'text/event-stream';
      return isMeant ? emptyStream() : read;
    }),
  },
  'unknown-poll-behind-an-event-is-empty': {
    breaks: 'A poll that goes on after an event of a run that there is not shows no event.',
    kills: ['run.error-envelope'],
    parts: answered('GET', /\/events\/poll$/u, async (read, request) => {
      const isMeant = read.status === 404 && new URL(request.url).search !== '';
      return isMeant ? Response.json({ events: [], isComplete: false }) : read;
    }),
  },
  'unknown-workflow-is-empty': {
    breaks: 'The definition of a workflow that there is not is an empty object.',
    kills: ['run.error-envelope'],
    parts: answeredInstead('GET', /^\/v1\/workflows\/[^/]+$/u, 404, () => Response.json({})),
  },
  'logs-without-a-credential': {
    breaks: 'Whoever names no credential may read the log of any run, as browsers do that follow a stream.',
    kills: ['run.error-envelope.no-credential'],
    parts: asItsOwner(({ headers }, path) => LOG.test(path) && !headers.has('authorization')),
  },
  'streams-without-a-credential': {
    breaks: 'Whoever names no credential may follow the stream of any run, as browsers do, and is given no JSON.',
    kills: ['run.error-envelope.no-credential'],
    parts: asItsOwner(
      ({ headers }, path) =>
        EVENTS.test(path) && !headers.has('authorization') && headers.get('accept') === 'text/event-stream',
    ),
  },
  'debug-streams-without-a-credential': {
    breaks: 'Whoever names no credential may read the log of any run in the stream mode debug.',
    kills: ['run.error-envelope.no-credential'],
    parts: asItsOwner(({ headers, url }) => url.includes('streamMode=debug') && !headers.has('authorization')),
  },
  'comparisons-without-a-credential': {
    breaks: 'Whoever names no credential may compare any run with itself.',
    kills: ['run.error-envelope.no-credential'],
    parts: asItsOwner(({ headers }, path) => path.endsWith(':diff') && !headers.has('authorization')),
  },
  'annotations-without-a-credential': {
    breaks: 'Whoever names no credential may read the annotations of any run.',
    kills: ['run.error-envelope.no-credential'],
    parts: asItsOwner(
      ({ method, headers }, path) => method === 'GET' && path.endsWith('/annotations') && !headers.has('authorization'),
    ),
  },
  'runs-made-without-the-scope': {
    breaks: 'A credential that may read runs and not create them creates them with POST /v1/runs.',
    kills: ['run.error-envelope.no-credential'],
    parts: () => {
      let owner: string | undefined;
      return {
        middleware: (next) => async (request) => {
          if (request.method !== 'POST' || !CREATION.test(new URL(request.url).pathname)) return next(request);
          const response = await next(request.clone());
          if (response.status === 201) owner ??= request.headers.get('authorization') ?? undefined;
          if (response.status !== 403 || owner === undefined) return response;
          return next(await under(request, withCredential(request.headers, owner)));
        },
      };
    },
  },
  'readings-under-any-credential': {
    breaks: 'Snapshot and poll of a run are given under any UUID in the place of a credential.',
    kills: ['run.error-envelope.no-credential'],
    parts: asItsOwner(
      ({ method, headers }, path) =>
        method === 'GET' && !EVENTS.test(path) && ANY_UUID.test(headers.get('authorization') ?? ''),
    ),
  },
  'acts-without-a-credential': {
    breaks: 'Runs are cancelled, answered and annotated without a credential.',
    kills: ['run.error-envelope.no-credential'],
    parts: asItsOwner(
      ({ method, headers }, path) => method === 'POST' && ACTS.test(path) && !headers.has('authorization'),
    ),
  },
  'acts-without-a-credential-fail': {
    breaks: 'The host fails over a cancellation, an answer and an annotation without a credential.',
    kills: ['run.error-envelope.no-credential'],
    parts: answeredInstead('POST', ACTS, 401, () => respond(refusal(500, 'internal_error', 'There is no caller.'))),
  },
  'cancellations-fail': {
    breaks: 'The host fails over the cancellation of a run that waits.',
    kills: ['run.cancel'],
    parts: answered('POST', CANCELLATION, (given) =>
      given.ok ? respond(refusal(500, 'internal_error', 'No cancellations.')) : given,
    ),
  },
  'runs-without-a-credential': {
    breaks: 'POST /v1/runs without a credential is answered with 400.',
    kills: ['run.error-envelope.no-credential'],
    parts: answeredInstead('POST', CREATION, 401, () =>
      respond(refusal(400, 'validation_error', 'There is no caller.')),
    ),
  },
  'unknown-stream-mode-refused-in-other-words': {
    breaks: 'A stream in an unknown mode is refused with a message alone.',
    kills: ['run.error-envelope'],
    parts: answeredInstead('GET', EVENTS, 400, () =>
      Response.json({ message: 'There is no such mode.' }, { status: 400 }),
    ),
  },
  'unknown-stream-mode-shows-nothing': {
    breaks: 'A stream in an unknown mode is there and shows no event.',
    kills: ['run.stream-modes'],
    parts: answeredInstead('GET', EVENTS, 400, emptyStream),
  },
  'default-stream-mode-hides-nodes-when-named': {
    breaks: 'A stream leaves out which nodes started where its default mode is named.',
    kills: ['run.stream-modes'],
    parts: answered('GET', EVENTS, async (read, request) => {
      const isMeant = new URL(request.url).searchParams.get('streamMode') === 'updates';
      return isMeant ? changingFrames(read, (event) => (event['type'] === 'node.started' ? [] : [event])) : read;
    }),
  },
  'stream-of-messages-stumbles': {
    breaks: 'A stream of messages alone is answered with 500.',
    kills: ['run.stream-modes'],
    parts: answering('GET', EVENTS, (response, request) =>
      new URL(request.url).searchParams.get('streamMode') === 'messages'
        ? respond(refusal(500, 'internal_error', 'There is no such message.'))
        : response(),
    ),
  },
  'exclusive-stream-mode-wins': {
    breaks: 'Of the stream modes values and updates together, values alone is obeyed.',
    kills: ['run.stream-modes'],
    parts: withQuery((query) => {
      if (query.get('streamMode') === 'values,updates') query.set('streamMode', 'values');
    }),
  },
};
