import { isObject, member } from '../../json.ts';
import { refusal, respond } from '../../types/answers.ts';
import type { Fetch, HostParts } from '../../parts.ts';
import type { Defect, Defects } from '../mutant.ts';
import { servingForeign } from '../shared/foreign-readings.ts';
import { forking, nestedEnvelope, refusedWith, withCredential, without, type ForkCall } from '../shared/fork-parts.ts';
import { knowingCreators, noticing, rememberingOwners } from '../shared/run-memory.ts';

function isCancellation(method: string, path: string): boolean {
  return method === 'POST' && path.endsWith('/cancel');
}

const CROSS = 'conformance-dispatch-cross-worker-handoff';
const SNAPSHOT = /^\/v1\/runs\/[^/:]+$/;

/** Runs and forks of another tenant, and callers without a credential or scope. */
export const defects: Defects = {
  'run-of-another-tenant-shown': servingForeign({
    breaks: 'Another tenant can read the snapshot of a run.',
    kills: ['fork.invisible-run.run'],
    fits: (method, path) => method === 'GET' && /^\/v1\/runs\/[^/:]+$/.test(path),
  }),
  'readings-of-another-tenant-answered': servingForeign({
    breaks: 'Another tenant can read whatever there is of a run.',
    kills: ['fork.invisible-run.run'],
    fits: (method) => method === 'GET',
  }),
  'events-of-another-tenant-shown': servingForeign({
    breaks: 'Another tenant can read the events of a run.',
    kills: ['fork.invisible-run.events'],
    fits: (method, path) => method === 'GET' && path.endsWith('/events'),
  }),
  'debug-stream-of-another-tenant-shown': streamShown('debug'),
  'values-stream-of-another-tenant-shown': streamShown('values'),
  'messages-stream-of-another-tenant-shown': streamShown('messages'),
  'poll-of-another-tenant-shown': servingForeign({
    breaks: 'Another tenant can poll the events of a run.',
    kills: ['fork.invisible-run.poll'],
    fits: (method, path) => method === 'GET' && path.endsWith('/events/poll'),
  }),
  'resumed-events-of-another-tenant-shown': servingForeign({
    breaks: 'Another tenant that names an event of a run can read on from there.',
    kills: ['fork.invisible-run.events.resumed'],
    fits: (method, path, { headers }) => method === 'GET' && path.endsWith('/events') && headers.has('last-event-id'),
  }),
  'resumed-poll-of-another-tenant-shown': servingForeign({
    breaks: 'Another tenant that names an event of a run can poll on from there.',
    kills: ['fork.invisible-run.poll.resumed'],
    fits: (_, path, { url }) => path.endsWith('/events/poll') && new URL(url).searchParams.has('lastSequence'),
  }),
  'run-of-another-tenant-annotated': servingForeign({
    breaks: 'Another tenant can annotate a run.',
    kills: ['fork.invisible-run.annotate'],
    fits: (method, path) => method === 'POST' && path.endsWith('/annotations'),
  }),
  'annotations-of-another-tenant-shown': servingForeign({
    breaks: 'Another tenant can read the annotations of a run.',
    kills: ['fork.invisible-run.annotations'],
    fits: (method, path) => method === 'GET' && path.endsWith('/annotations'),
  }),
  'diff-of-another-tenant-shown': servingForeign({
    breaks: 'Another tenant can compare a run with its replay.',
    kills: ['fork.invisible-run.diff'],
    fits: (method, path) => method === 'GET' && path.endsWith(':diff'),
  }),
  'own-run-compared-with-that-of-another-tenant': {
    breaks: "A run of the caller's own can be compared with another tenant's run.",
    kills: ['fork.invisible-run.diff'],
    parts: knowingCreators((request, next, owners) => comparedForeign(next, request, owners, 'first')),
  },
  'run-of-another-tenant-compared-with-an-own-one': {
    breaks: "Another tenant's run can be compared with a run of the caller's own.",
    kills: ['fork.invisible-run.diff'],
    parts: knowingCreators((request, next, owners) => comparedForeign(next, request, owners, 'second')),
  },
  'run-of-another-tenant-cancelled': servingForeign({
    breaks: 'Another tenant can cancel a run.',
    kills: ['fork.invisible-run.cancel'],
    fits: isCancellation,
  }),
  'waiting-run-of-another-tenant-cancelled': {
    breaks: 'Another tenant can cancel a run that has not ended.',
    kills: ['fork.invisible-run.answer'],
    parts: knowingCreators(async (request, next, owners) => {
      const { pathname, origin } = new URL(request.url);
      const runId = /^\/v1\/runs\/([^/:]+)\/cancel$/u.exec(pathname)?.[1] ?? '';
      const owner = owners.get(runId);
      const isNobody = !request.headers.has('authorization');
      if (owner === undefined || isNobody || request.method !== 'POST') return next(request);
      const headers = without(withCredential(request.headers, owner), 'content-length');
      const body = await request.text();
      const shown = await next(new Request(`${origin}/v1/runs/${runId}`, { headers }));
      const goesOn = String(member(await shown.json(), 'status')).startsWith('waiting');
      const as = goesOn ? headers : without(request.headers, 'content-length');
      return next(new Request(request.url, { method: 'POST', headers: as, body }));
    }),
  },
  'end-of-a-run-told-to-another-tenant': {
    breaks: 'Whoever wants to cancel a run that has ended is told so with 409, another tenant as well.',
    kills: ['fork.invisible-run.cancel'],
    parts: (conformant) => {
      const { parts } = servingForeign({ breaks: '', kills: [], fits: isCancellation });
      const { middleware = (next: Fetch) => next } = parts(conformant);
      return {
        middleware: (next) =>
          middleware(async (request) => {
            const response = await next(request);
            if (!isCancellation(request.method, new URL(request.url).pathname) || !response.ok) return response;
            const ended = /^(?:completed|failed)$/u.test(String(member(await response.clone().json(), 'status')));
            return ended ? respond(refusal(409, 'run_ended', 'The run has ended.')) : response;
          }),
      };
    },
  },
  'question-of-another-tenant-answered': servingForeign({
    breaks: 'Another tenant can answer the question of a run.',
    kills: ['fork.invisible-run.answer'],
    fits: (method, path) => method === 'POST' && path.includes('/interrupts/'),
  }),
  'child-of-another-tenant-shown': {
    breaks: 'Another tenant can read the child of a run.',
    kills: ['fork.invisible-run.child'],
    parts: childrenOpen({ at: SNAPSHOT }),
  },
  'second-child-of-another-tenant-shown': {
    breaks: 'Another tenant can read the second child of a run.',
    kills: ['fork.invisible-run.child'],
    parts: childrenOpen({ at: SNAPSHOT, named: '-handoff-child-b' }),
  },
  'child-of-another-tenant-polled': {
    breaks: 'Another tenant can poll the events of the child of a run.',
    kills: ['fork.invisible-run.child'],
    parts: childrenOpen({ at: /\/events\/poll$/ }),
  },
  'debug-stream-of-a-child-of-another-tenant-shown': {
    breaks: 'Another tenant can read the events of the child of a run in the stream mode debug.',
    kills: ['fork.invisible-run.child'],
    parts: childrenOpen({ at: /\/events\?streamMode=debug$/ }),
  },
  'child-of-another-tenant-compared': {
    breaks: 'Another tenant can compare the child of a run with itself.',
    kills: ['fork.invisible-run.child'],
    parts: childrenOpen({ at: /:diff\?/ }),
  },
  'annotations-of-a-child-of-another-tenant-shown': {
    breaks: 'Another tenant can read the annotations of the child of a run.',
    kills: ['fork.invisible-run.child'],
    parts: childrenOpen({ at: /\/annotations$/ }),
  },
  'child-of-another-tenant-cancelled': {
    breaks: 'Another tenant can cancel the child of a run.',
    kills: ['fork.invisible-run.child'],
    parts: childrenOpen({ at: /\/cancel$/ }),
  },
  'child-of-a-branch-of-another-tenant-shown': {
    breaks: 'Another tenant can read what a branch dispatched, and no other child.',
    kills: ['fork.invisible-run.child'],
    parts: () => ({ middleware: childrenShown('branch') }),
  },
  'child-of-a-replay-of-another-tenant-shown': {
    breaks:
      'Another tenant can read what a replay dispatched, of a workflow whose replays dispatch their children anew.',
    kills: ['fork.invisible-run.child'],
    parts: ({ replay, written }) => ({
      replay: {
        ...replay,
        observation: (recorded, act) => {
          const worker = member(act.request, 'workerId');
          const isMeant = act.mode === 'replay' && typeof worker === 'string' && worker.startsWith(`${CROSS}-child`);
          return isMeant ? undefined : replay.observation(recorded, act);
        },
      },
      written: (draft, writing) => {
        const { fork, workflowId } = writing.run;
        const isMeant = workflowId === CROSS && fork?.mode === 'replay' && draft.type === 'replay.diverged';
        return isMeant ? [] : written(draft, writing);
      },
      middleware: childrenShown('replay'),
    }),
  },
  'fork-of-another-tenant-by-its-key': {
    breaks: "A fork of another tenant's run under the Idempotency-Key of its owner's fork is answered with that.",
    kills: ['fork.invisible-run.key'],
    parts: () => {
      const forks = new Map<string, unknown>();
      return forking(async ({ sourceRunId, headers, send }) => {
        const key = headers.get('idempotency-key');
        const response = await send();
        const name = `${key} ${sourceRunId}`;
        const isStored = key !== null && response.status === 404 && forks.has(name);
        if (isStored) return Response.json(forks.get(name), { status: 201 });
        if (response.status === 201) forks.set(name, await response.clone().json());
        return response;
      })();
    },
  },
  'fork-invisible-forbidden': {
    breaks: "A fork of another tenant's run is answered with 403.",
    kills: ['fork.invisible-run'],
    parts: strangersAnswered(() => refusal(403, 'forbidden', 'The run belongs to another tenant.')),
  },
  'fork-invisible-other-code': {
    breaks: "A fork of another tenant's run has an error code of its own.",
    kills: ['fork.invisible-run'],
    parts: strangersAnswered(() => refusal(404, 'run_not_yours', 'There is no such run.')),
  },
  'strangers-refused-out-of-the-envelope': {
    breaks: 'Whoever is not the first tenant is told in a nested envelope that there is no run to fork.',
    kills: ['fork.error-envelope.invisible'],
    parts: knowingOwners(async ({ headers, send }, owners) => {
      const response = await send();
      const [first] = owners.values();
      return response.status === 404 && headers.get('authorization') !== first ? nestedEnvelope(response) : response;
    }),
  },
  'fork-invisible-other-message': {
    breaks: "A fork of another tenant's run has a message of its own.",
    kills: ['fork.invisible-run'],
    parts: strangersAnswered(() => refusal(404, 'run_not_found', 'There is no such run of yours.')),
  },
  'fork-invisible-with-a-header': {
    breaks: "The refusal of a fork of another tenant's run has a header that those of unknown runs do not have.",
    kills: ['fork.invisible-run'],
    parts: knowingOwners(async (call, owners) => {
      const response = await call.send();
      if (response.status !== 404 || !owners.has(call.sourceRunId)) return response;
      const headers = new Headers(response.headers);
      headers.set('x-run-region', 'here');
      return new Response(response.body, { status: 404, headers });
    }),
  },
  'fork-invisible-with-details': {
    breaks: "A fork of another tenant's run is answered with details.",
    kills: ['fork.invisible-run'],
    parts: strangersAnswered((sourceRunId) => refusal(404, 'run_not_found', 'There is no such run.', { sourceRunId })),
  },
  'fork-invisible-log-looked-into': {
    breaks: "A fork from past the end of another tenant's log is refused for that.",
    kills: ['fork.invisible-run.refused'],
    parts: knowingOwners(async (call, owners) => {
      const owner = owners.get(call.sourceRunId);
      const response = await call.send();
      if (response.status !== 404 || owner === undefined || Number(call.body['fromSeq'] ?? 0) === 0) return response;
      const asOwner = await call.send({ headers: withCredential(call.headers, owner) });
      return asOwner.status === 422 ? asOwner : response;
    }),
  },
  'fork-invisible-start-asked-for': {
    breaks: "A branch of another tenant's run that names no start is refused for that.",
    kills: ['fork.invisible-run.refused'],
    parts: refusedAsOwners(({ body }) => body['mode'] === 'branch' && body['fromSeq'] === undefined),
  },
  'fork-invisible-start-read': {
    breaks: "A fork of another tenant's run from below 0 is refused for that.",
    kills: ['fork.invisible-run.refused'],
    parts: refusedAsOwners(({ body }) => Number(body['fromSeq'] ?? 0) < 0),
  },
  'fork-tenants-mixed': {
    breaks: "Another tenant's run can be forked.",
    kills: ['fork.invisible-run'],
    parts: refusedButForked(404),
  },
  'branch-invisible-forbidden': {
    breaks: "A branch of another tenant's run is answered with 403.",
    kills: ['fork.invisible-run.branch'],
    parts: strangersAnswered(() => refusal(403, 'forbidden', 'The run belongs to another tenant.'), 'branch'),
  },
  'branch-tenants-mixed': {
    breaks: "Another tenant's run can be branched.",
    kills: ['fork.invisible-run.branch'],
    parts: refusedButForked(404, 'branch'),
  },
  'branch-scope-not-needed': {
    breaks: 'A branch needs no scope.',
    kills: ['fork.requires-credentials.scope.branch'],
    parts: refusedButForked(403, 'branch'),
  },
  'fork-without-credential': {
    breaks: 'A fork needs no credential.',
    kills: ['fork.requires-credentials'],
    parts: refusedButForked(401),
  },
  'fork-with-any-credential': {
    breaks: 'A fork needs a credential, and whatever stands in its place is one.',
    kills: ['fork.requires-credentials'],
    parts: knowingOwners(async (call, owners) => {
      const response = await call.send();
      const owner = owners.get(call.sourceRunId);
      const isMeant = response.status === 401 && owner !== undefined && call.headers.has('authorization');
      return isMeant ? call.send({ headers: withCredential(call.headers, owner) }) : response;
    }),
  },
  'branch-without-credential': {
    breaks: 'A branch needs no credential.',
    kills: ['fork.requires-credentials.branch'],
    parts: refusedButForked(401, 'branch'),
  },
  'fork-scope-not-needed': {
    breaks: 'A fork needs no scope.',
    kills: ['fork.requires-credentials.scope'],
    parts: refusedButForked(403),
  },
  'fork-by-whoever-may-create': {
    breaks: 'A fork takes the scope to create runs, and not that to read its source.',
    kills: ['fork.requires-credentials.scope'],
    parts: knowingOwners(async (call, owners) => {
      const { sourceRunId, headers, next, send } = call;
      const response = await send();
      const owner = owners.get(sourceRunId);
      if (response.status !== 403 || owner === undefined) return response;
      const read = await next(new Request(`http://host/v1/runs/${sourceRunId}`, { headers }));
      return read.ok ? response : send({ headers: withCredential(headers, owner) });
    }),
  },
  'fork-anonymous-forbidden': {
    breaks: 'A fork without a credential is answered with 403.',
    kills: ['fork.requires-credentials'],
    parts: refusedWith(401, 403),
  },
  'fork-missing-scope-hidden': {
    breaks: 'A fork under a credential without the scope is answered with 404.',
    kills: ['fork.requires-credentials.scope'],
    parts: refusedWith(403, 404),
  },
};

/** A host that looks at whose a run is before it shows its events, but for one stream mode. */
function streamShown(mode: string): Defect {
  return servingForeign({
    breaks: `Another tenant can read the events of a run in the stream mode ${mode}.`,
    kills: ['fork.invisible-run.events'],
    fits: (_, path, { url }) => path.endsWith('/events') && new URL(url).searchParams.get('streamMode') === mode,
  });
}

/** The answer to a comparison; where it is refused, and the run that stands there is the caller's, that of the other run with itself. */
async function comparedForeign(
  next: Fetch,
  request: Request,
  owners: ReadonlyMap<string, string>,
  own: 'first' | 'second',
): Promise<Response> {
  const url = new URL(request.url);
  const response = await next(request);
  const [first, second] = [runIdIn(url), url.searchParams.get('against') ?? ''];
  const [mine, other] = own === 'first' ? [first, second] : [second, first];
  const foreign = owners.get(other);
  const isOwn = owners.get(mine) === request.headers.get('authorization');
  if (response.status !== 404 || !isOwn || foreign === undefined) return response;
  url.pathname = `/v1/runs/${encodeURIComponent(other)}:diff`;
  url.searchParams.set('against', other);
  return next(new Request(url, { headers: withCredential(request.headers, foreign) }));
}

function runIdIn({ pathname }: URL): string {
  return decodeURIComponent(/^\/v1\/runs\/([^/:]+):diff$/.exec(pathname)?.[1] ?? '');
}

/** A host whose fork endpoint knows under which credential each run and each fork was created. */
function knowingOwners(
  fork: (call: ForkCall, owners: ReadonlyMap<string, string>) => Promise<Response>,
): () => Partial<HostParts> {
  return () => {
    const owners = new Map<string, string>();
    const { forkEndpoint } = forking(async (call) => {
      const response = await fork(call, owners);
      if (response.status !== 201) return response;
      const answer: unknown = await response.clone().json();
      if (isObject(answer)) owners.set(String(answer['runId']), call.headers.get('authorization') ?? '');
      return response;
    })();
    return { forkEndpoint, middleware: (next) => rememberingOwners(next, owners) };
  };
}

/** A host that answers in its own way to a fork of a run that is there, but not for the caller; to those of one mode where it is named. */
function strangersAnswered(
  answer: (sourceRunId: string) => ReturnType<typeof refusal>,
  mode?: string,
): () => Partial<HostParts> {
  return knowingOwners(async (call, owners) => {
    const response = await call.send();
    const isMeant = response.status === 404 && owners.has(call.sourceRunId) && isOfMode(call, mode);
    return isMeant ? respond(answer(call.sourceRunId)) : response;
  });
}

/** A host that looks at these requests about a run that is there before it looks at whose that is. */
function refusedAsOwners(isMeant: (call: ForkCall) => boolean): () => Partial<HostParts> {
  return knowingOwners(async (call, owners) => {
    const response = await call.send();
    const owner = owners.get(call.sourceRunId);
    if (response.status !== 404 || owner === undefined || !isMeant(call)) return response;
    const asOwner = await call.send({ headers: withCredential(call.headers, owner) });
    return asOwner.status === 400 ? asOwner : response;
  });
}

/** A host that forks under the owner's credential what it has just refused with this status; in one mode where it is named. */
function refusedButForked(status: number, mode?: string): () => Partial<HostParts> {
  return knowingOwners(async (call, owners) => {
    const response = await call.send();
    const owner = owners.get(call.sourceRunId);
    return response.status !== status || owner === undefined || !isOfMode(call, mode)
      ? response
      : call.send({ headers: withCredential(call.headers, owner) });
  });
}

function isOfMode({ body }: ForkCall, mode: string | undefined): boolean {
  return mode === undefined || body['mode'] === mode;
}

/** Shows to other tenants what forks of one mode dispatched. */
function childrenShown(mode: string): HostParts['middleware'] {
  return (next) => {
    const owners = new Map<string, string>();
    const served: Fetch = (request) => servedAsDispatched(next, request, owners);
    return noticing(served, /:fork$/u, ({ asked, runId, credential }) => {
      if (asked['mode'] === mode) owners.set(runId, credential ?? '');
    });
  };
}

/** A run that another tenant may not see is shown where one of these runs names it in its log. */
async function servedAsDispatched(
  next: Fetch,
  request: Request,
  owners: ReadonlyMap<string, string>,
): Promise<Response> {
  const response = await next(request.clone());
  const { pathname, origin } = new URL(request.url);
  if (request.method !== 'GET' || response.status !== 404 || !SNAPSHOT.test(pathname)) return response;
  const runId = pathname.split('/').at(-1) ?? '';
  for (const [parent, owner] of owners) {
    const headers = withCredential(request.headers, owner);
    const log = await next(new Request(`${origin}/v1/runs/${parent}/events/poll`, { headers }));
    if (parent !== runId && (await log.text()).includes(runId)) return next(new Request(request.url, { headers }));
  }
  return response;
}

/** A host that serves some requests about children to other tenants as well; `named` stands in the snapshots of those that are meant. */
function childrenOpen({ at, named = '-handoff-child' }: { readonly at: RegExp; readonly named?: string }) {
  return knowingCreators(async (request, next, owners) => {
    const { pathname, search, origin } = new URL(request.url);
    const body = request.method === 'GET' ? null : await request.text();
    const as = (headers: Headers): Request =>
      new Request(request.url, { method: request.method, headers: without(headers, 'content-length'), body });
    const response = await next(as(request.headers));
    const [, runId = ''] = /^\/v1\/runs\/([^/:]+)/u.exec(pathname) ?? [];
    if (response.status !== 404 || !at.test(pathname + search)) return response;
    for (const owner of new Set(owners.values())) {
      const headers = withCredential(request.headers, owner);
      const shown = await next(
        new Request(`${origin}/v1/runs/${runId}`, { headers: without(headers, 'content-length') }),
      );
      if (shown.status === 200 && (await shown.text()).includes(named)) return next(as(headers));
    }
    return response;
  });
}
