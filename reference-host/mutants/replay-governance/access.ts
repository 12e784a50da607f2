import { isObject, stringMember } from '../../json.ts';
import type { Fetch, HostParts } from '../../parts.ts';
import type { ForkMode } from '../../store/runs.ts';
import { refusal, respond } from '../../types/answers.ts';
import type { Defects, Parts } from '../mutant.ts';
import { forking, withCredential, without } from '../shared/fork-parts.ts';
import { knowingCreators, noticing } from '../shared/run-memory.ts';

interface Open {
  /** Replays where absent. */
  readonly mode?: ForkMode;
  /** Requests that are let through: readings where absent, what changes something, or all. */
  readonly method?: 'POST' | 'any';
  /** The paths that are let through, those of the runs themselves where absent. */
  readonly at?: RegExp;
  /** The end of the paths that are let through; all where absent. */
  readonly ending?: string;
  /** Only readings from behind an event on. */
  readonly resumed?: true;
  /** Only forks of forks. */
  readonly further?: true;
  /** Only forks from a later event than the first. */
  readonly later?: true;
  /** Only runs that wait for somebody. */
  readonly waiting?: true;
  /** For whoever names no credential, in the place of others that do. */
  readonly nobody?: true;
  /** Only what is refused with this status otherwise; whatever is refused where absent. */
  readonly refusedWith?: number;
}

const RUN = /^\/v1\/runs\/([^/:]+)/;
const ANY_RUN = /^(?:\/v1)?\/runs\/([^/:]+)/;

/** Lets everybody with a credential through to forks of a mode, as if they were their owner. */
function openForks(open: Open): Parts {
  return () => ({ middleware: lettingThrough(open) });
}

function lettingThrough({
  mode = 'replay',
  method,
  at = RUN,
  ending = '',
  resumed,
  further,
  later,
  nobody,
  waiting,
  refusedWith,
}: Open): HostParts['middleware'] {
  const owners = new Map<string, string>();
  const forks = new Set<string>();
  return (next) => async (request) => {
    const { pathname, searchParams } = new URL(request.url);
    const owner = owners.get(ANY_RUN.exec(pathname)?.[1] ?? '');
    const caller = request.headers.get('authorization');
    const isOther =
      owner !== undefined && (nobody === undefined ? caller !== null && caller !== owner : caller === null);
    const isResumed = request.headers.has('last-event-id') || searchParams.has('lastSequence');
    const isAsked =
      (method === 'any' || request.method === (method ?? 'GET')) &&
      at.test(pathname) &&
      pathname.endsWith(ending) &&
      (resumed === undefined || isResumed);
    const isRefused = async (): Promise<boolean> =>
      refusedWith === undefined || (await next(request.clone())).status === refusedWith;
    const goesOn = async (): Promise<boolean> => {
      if (waiting === undefined || owner === undefined) return true;
      const headers = without(withCredential(request.headers, owner), 'content-length');
      const shown = await next(new Request(request.url.replace(/\/cancel$/u, ''), { headers }));
      return String(stringMember(Object(await shown.json()), 'status')).startsWith('waiting');
    };
    if (isOther && isAsked && (await isRefused()) && (await goesOn())) {
      const body = request.method === 'GET' ? {} : { body: await request.text() };
      const headers = withCredential(request.headers, owner);
      return next(new Request(request.url, { method: request.method, headers, ...body }));
    }
    const notice = noticing(next, /:fork$/, ({ pathname: path, asked, runId, credential }) => {
      const isFurther = forks.has(RUN.exec(path)?.[1] ?? '');
      forks.add(runId);
      if (further !== undefined && !isFurther) return;
      if (later !== undefined && !(Number(asked['fromSeq']) > 0)) return;
      if (asked['mode'] === mode && credential !== null) owners.set(runId, credential);
    });
    return notice(request);
  };
}

/** Serves readings of children to whoever names no credential, or one that is refused with this status. */
function childrenOpen(refusedWith: number | null): Parts {
  return knowingCreators(async (request, next, owners) => {
    const { pathname, origin } = new URL(request.url);
    const response = await next(request.clone());
    const isMeant = request.headers.has('authorization') ? response.status === refusedWith : refusedWith === null;
    const [, runId] = RUN.exec(pathname) ?? [];
    if (!isMeant || runId === undefined || request.method !== 'GET') return response;
    for (const owner of new Set(owners.values())) {
      const headers = withCredential(request.headers, owner);
      const shown = await next(new Request(`${origin}/v1/runs/${runId}`, { headers }));
      const isChild = shown.status === 200 && (await shown.text()).includes('-handoff-child');
      if (isChild) return next(new Request(request.url, { headers }));
    }
    return response;
  });
}

/** Pages of replays hold the replay's log, where nobody names a credential. */
function replaysOnPages(): HostParts['middleware'] {
  const owners = new Map<string, string>();
  return (next) => {
    const served: Fetch = async (request) => {
      const { pathname, origin } = new URL(request.url);
      const runId = /^\/runs\/([^/]+)$/u.exec(pathname)?.[1] ?? '';
      const owner = owners.get(runId);
      if (owner === undefined || request.headers.has('authorization')) return next(request);
      const headers = withCredential(request.headers, owner);
      const log = await next(new Request(`${origin}/v1/runs/${runId}/events/poll`, { headers }));
      const page = `<!doctype html><pre>${(await log.text()).replaceAll('<', '&lt;')}</pre>`;
      return new Response(page, { headers: { 'content-type': 'text/html; charset=utf-8' } });
    };
    return noticing(served, /:fork$/, ({ asked, runId, credential }) => {
      if (asked['mode'] === 'replay' && credential !== null) owners.set(runId, credential);
    });
  };
}

/** Shows the pages of runs and forks to whoever names a credential. */
function pagesOpen(): HostParts['middleware'] {
  const owners = new Map<string, string>();
  return (next) => {
    const served: Fetch = (request) => {
      const owner = owners.get(/^\/runs\/([^/]+)/u.exec(new URL(request.url).pathname)?.[1] ?? '');
      const isMeant = request.headers.has('authorization') && owner !== undefined;
      return next(isMeant ? new Request(request, { headers: withCredential(request.headers, owner) }) : request);
    };
    return noticing(served, /^\/v1\/runs(?:\/[^/]+:fork)?$/, ({ runId, credential }) => {
      if (credential !== null) owners.set(runId, credential);
    });
  };
}

/** Who can read a fork. */
export const defects: Defects = {
  'replays-open-to-all': {
    breaks: 'Whoever knows the id of a replay may read it, fork it and cancel it.',
    kills: ['privacy.same-access-checks'],
    parts: openForks({ method: 'any' }),
  },
  'replays-readable-by-all': {
    breaks: 'Whoever knows the id of a replay may read it.',
    kills: ['privacy.same-access-checks'],
    parts: openForks({}),
  },
  'replays-resumable-by-all': {
    breaks: 'Whoever knows the id of a replay may read on in it from behind an event.',
    kills: ['privacy.same-access-checks'],
    parts: openForks({ resumed: true }),
  },
  'replays-of-replays-readable-by-all': {
    breaks: 'Whoever knows the id of a replay of a replay may read it.',
    kills: ['privacy.same-access-checks.replay-of-replay'],
    parts: openForks({ further: true }),
  },
  'replays-of-replays-changed-by-all': {
    breaks: 'Whoever knows the id of a replay of a replay may annotate it, fork it and cancel it.',
    kills: ['privacy.same-access-checks.replay-of-replay'],
    parts: openForks({ further: true, method: 'POST' }),
  },
  'reports-of-replays-of-replays-open-to-all': {
    breaks: 'Whoever knows the id of a replay of a replay may read its determinism report.',
    kills: ['privacy.same-access-checks.replay-of-replay'],
    parts: openForks({ further: true, ending: '/determinism' }),
  },
  'later-replays-changed-by-all': {
    breaks: 'Whoever knows the id of a replay from a later event may annotate it, fork it and cancel it.',
    kills: ['privacy.same-access-checks'],
    parts: openForks({ later: true, method: 'POST' }),
  },
  'later-replays-readable-by-all': {
    breaks: 'Whoever knows the id of a replay from a later event may read it.',
    kills: ['privacy.same-access-checks'],
    parts: openForks({ later: true }),
  },
  'replay-reports-open-to-all': {
    breaks: 'Whoever knows the id of a replay may read its determinism report.',
    kills: ['privacy.same-access-checks'],
    parts: openForks({ ending: '/determinism' }),
  },
  'replays-answerable-by-all': {
    breaks: 'Whoever knows the id of a replay may answer the question for which it waits.',
    kills: ['privacy.same-access-checks'],
    parts: openForks({ method: 'POST', at: /^\/v1\/runs\/[^/]+\/interrupts\// }),
  },
  'branches-answerable-by-all': {
    breaks: 'Whoever knows the id of a branch may answer the question for which it waits.',
    kills: ['privacy.same-access-checks.branch'],
    parts: openForks({ mode: 'branch', method: 'POST', at: /^\/v1\/runs\/[^/]+\/interrupts\// }),
  },
  'timeline-of-replays-open-to-all': {
    breaks: 'Whoever knows the id of a replay sees its page in the Timeline View.',
    kills: ['privacy.same-access-checks'],
    parts: openForks({ at: /^\/runs\// }),
  },
  'timeline-open-to-all': {
    breaks: 'Whoever has a credential sees the pages of all runs in the Timeline View, those of replays as well.',
    kills: ['privacy.same-access-checks'],
    parts: () => ({ middleware: pagesOpen() }),
  },
  'replays-readable-without-scope': {
    breaks: 'A credential of the tenant may read replays, also one that may not read runs.',
    kills: ['privacy.same-access-checks.scope'],
    parts: openForks({ refusedWith: 403 }),
  },
  'replay-diffs-readable-without-scope': {
    breaks: 'A credential that may not read runs may compare replays.',
    kills: ['privacy.same-access-checks.scope'],
    parts: openForks({ ending: ':diff', refusedWith: 403 }),
  },
  'replay-logs-readable-without-scope': {
    breaks: 'A credential that may not read runs may read the logs and streams of replays.',
    kills: ['privacy.same-access-checks.scope'],
    parts: openForks({ ending: '/events', refusedWith: 403 }),
  },
  'waiting-replays-cancelled-by-all': {
    breaks: 'Whoever knows the id of a replay may cancel it while it waits.',
    kills: ['privacy.same-access-checks'],
    parts: openForks({ method: 'POST', ending: '/cancel', waiting: true }),
  },
  'forks-listed-for-all': {
    breaks: 'A list of the forks of a run shows them to other tenants as well.',
    kills: ['privacy.same-access-checks'],
    parts: knowingCreators((request, next, owners) => {
      const { pathname, searchParams } = new URL(request.url);
      const owner = owners.get(searchParams.get('parentRunId') ?? '');
      const isList = pathname.endsWith('/runs') && request.method === 'GET' && owner !== undefined;
      return next(isList ? new Request(request, { headers: withCredential(request.headers, owner) }) : request);
    }),
  },
  'replays-readable-without-a-credential': {
    breaks: 'Whoever knows the id of a replay may read it, and has to name no credential.',
    kills: ['privacy.same-access-checks.nobody'],
    parts: openForks({ nobody: true }),
  },
  'replays-streamed-without-a-credential': {
    breaks: 'Whoever names no credential may follow the events of a replay, as browsers do that follow a stream.',
    kills: ['privacy.same-access-checks.nobody'],
    parts: openForks({ ending: '/events', nobody: true }),
  },
  'replays-of-replays-readable-without-a-credential': {
    breaks: 'Whoever knows the id of a replay of a replay may read it, and has to name no credential.',
    kills: ['privacy.same-access-checks.nobody'],
    parts: openForks({ further: true, nobody: true }),
  },
  'branches-readable-without-a-credential': {
    breaks: 'Whoever knows the id of a branch may read it, and has to name no credential.',
    kills: ['privacy.same-access-checks.nobody'],
    parts: openForks({ mode: 'branch', nobody: true }),
  },
  'replays-changed-without-a-credential': {
    breaks: 'Whoever knows the id of a replay may annotate it, fork it and cancel it, and has to name no credential.',
    kills: ['privacy.same-access-checks.nobody'],
    parts: openForks({ method: 'POST', nobody: true }),
  },
  'timeline-of-replays-open-without-a-credential': {
    breaks: 'The page of a replay in the Timeline View has its events in it, for whoever names no credential, too.',
    kills: ['privacy.same-access-checks.nobody'],
    parts: () => ({ middleware: replaysOnPages() }),
  },
  'children-readable-without-a-credential': {
    breaks: 'Whoever knows the id of a child may read it, and has to name no credential.',
    kills: ['privacy.same-access-checks.nobody'],
    parts: childrenOpen(null),
  },
  'children-readable-without-scope': {
    breaks: 'A credential that may not read runs may read the children of runs.',
    kills: ['privacy.same-access-checks.scope'],
    parts: childrenOpen(403),
  },
  'branches-readable-without-scope': {
    breaks: 'A credential of the tenant may read branches, also one that may not read runs.',
    kills: ['privacy.same-access-checks.scope'],
    parts: openForks({ mode: 'branch', refusedWith: 403 }),
  },
  'replays-of-replays-readable-without-scope': {
    breaks: 'A credential that may not read runs may read replays of replays.',
    kills: ['privacy.same-access-checks.scope'],
    parts: openForks({ further: true, refusedWith: 403 }),
  },
  'replay-reports-readable-without-scope': {
    breaks: 'A credential that may not read runs may read the determinism reports of replays.',
    kills: ['privacy.same-access-checks.scope'],
    parts: openForks({ ending: '/determinism', refusedWith: 403 }),
  },
  'branches-open-to-all': {
    breaks: 'Whoever knows the id of a branch may read it, fork it and cancel it.',
    kills: ['privacy.same-access-checks.branch'],
    parts: openForks({ mode: 'branch', method: 'any' }),
  },
  'fork-of-foreign-replay-forbidden': {
    breaks: "A fork of another tenant's replay is answered with 403.",
    kills: ['privacy.same-access-checks.indistinguishable'],
    parts: () => {
      const forks = new Set<string>();
      return forking(async ({ sourceRunId, send }) => {
        const response = await send();
        if (response.status === 404 && forks.has(sourceRunId)) {
          return respond(refusal(403, 'forbidden', 'The run belongs to another tenant.'));
        }
        const answer: unknown = response.status === 201 ? await response.clone().json() : undefined;
        const runId = isObject(answer) ? stringMember(answer, 'runId') : undefined;
        if (runId !== undefined) forks.add(runId);
        return response;
      })();
    },
  },
};
