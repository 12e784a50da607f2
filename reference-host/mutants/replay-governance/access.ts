import { isObject, stringMember } from '../../json.ts';
import type { HostParts } from '../../parts.ts';
import type { ForkMode } from '../../store/runs.ts';
import { refusal, respond } from '../../types/answers.ts';
import type { Defects } from '../mutant.ts';
import { forking, withCredential } from '../shared/fork-parts.ts';
import { noticing } from '../shared/run-memory.ts';

interface Open {
  readonly mode: ForkMode;
  /** Requests that are let through: readings, what changes something, or all. */
  readonly method: 'GET' | 'POST' | 'any';
  /** The paths that are let through, those of the runs themselves where absent. */
  readonly at?: RegExp;
  /** The end of the paths that are let through; all where absent. */
  readonly ending?: string;
  /** Only readings from behind an event on. */
  readonly resumed?: true;
  /** Only forks of forks. */
  readonly further?: true;
  /** Only what is refused with this status otherwise; whatever is refused where absent. */
  readonly refusedWith?: number;
}

const RUN = /^\/v1\/runs\/([^/:]+)/;
const ANY_RUN = /^(?:\/v1)?\/runs\/([^/:]+)/;

/** Lets everybody with a credential through to forks of a mode, as if they were their owner. */
function openForks({
  mode,
  method,
  at = RUN,
  ending = '',
  resumed,
  further,
  refusedWith,
}: Open): HostParts['middleware'] {
  const owners = new Map<string, string>();
  const forks = new Set<string>();
  return (next) => async (request) => {
    const { pathname, searchParams } = new URL(request.url);
    const owner = owners.get(ANY_RUN.exec(pathname)?.[1] ?? '');
    const caller = request.headers.get('authorization');
    const isOther = owner !== undefined && caller !== null && caller !== owner;
    const isResumed = request.headers.has('last-event-id') || searchParams.has('lastSequence');
    const isAsked =
      (method === 'any' || request.method === method) &&
      at.test(pathname) &&
      pathname.endsWith(ending) &&
      (resumed === undefined || isResumed);
    const isRefused = async (): Promise<boolean> =>
      refusedWith === undefined || (await next(request.clone())).status === refusedWith;
    if (isOther && isAsked && (await isRefused())) {
      const body = request.method === 'GET' ? {} : { body: await request.text() };
      const headers = withCredential(request.headers, owner);
      return next(new Request(request.url, { method: request.method, headers, ...body }));
    }
    const notice = noticing(next, /:fork$/, ({ pathname: path, asked, runId, credential }) => {
      const isFurther = forks.has(RUN.exec(path)?.[1] ?? '');
      forks.add(runId);
      if (further !== undefined && !isFurther) return;
      if (asked['mode'] === mode && credential !== null) owners.set(runId, credential);
    });
    return notice(request);
  };
}

/** Who can read a fork. */
export const defects: Defects = {
  'replays-open-to-all': {
    breaks: 'Whoever knows the id of a replay may read it, fork it and cancel it.',
    kills: ['privacy.same-access-checks'],
    parts: () => ({ middleware: openForks({ mode: 'replay', method: 'any' }) }),
  },
  'replays-readable-by-all': {
    breaks: 'Whoever knows the id of a replay may read it.',
    kills: ['privacy.same-access-checks'],
    parts: () => ({ middleware: openForks({ mode: 'replay', method: 'GET' }) }),
  },
  'replays-resumable-by-all': {
    breaks: 'Whoever knows the id of a replay may read on in it from behind an event.',
    kills: ['privacy.same-access-checks'],
    parts: () => ({ middleware: openForks({ mode: 'replay', method: 'GET', resumed: true }) }),
  },
  'replays-of-replays-readable-by-all': {
    breaks: 'Whoever knows the id of a replay of a replay may read it.',
    kills: ['privacy.same-access-checks.replay-of-replay'],
    parts: () => ({ middleware: openForks({ mode: 'replay', method: 'GET', further: true }) }),
  },
  'replay-reports-open-to-all': {
    breaks: 'Whoever knows the id of a replay may read its determinism report.',
    kills: ['privacy.same-access-checks'],
    parts: () => ({ middleware: openForks({ mode: 'replay', method: 'GET', ending: '/determinism' }) }),
  },
  'replays-answerable-by-all': {
    breaks: 'Whoever knows the id of a replay may answer the question for which it waits.',
    kills: ['privacy.same-access-checks'],
    parts: () => ({
      middleware: openForks({ mode: 'replay', method: 'POST', at: /^\/v1\/runs\/[^/]+\/interrupts\// }),
    }),
  },
  'branches-answerable-by-all': {
    breaks: 'Whoever knows the id of a branch may answer the question for which it waits.',
    kills: ['privacy.same-access-checks.branch'],
    parts: () => ({
      middleware: openForks({ mode: 'branch', method: 'POST', at: /^\/v1\/runs\/[^/]+\/interrupts\// }),
    }),
  },
  'timeline-of-replays-open-to-all': {
    breaks: 'Whoever knows the id of a replay sees its page in the Timeline View.',
    kills: ['privacy.same-access-checks'],
    parts: () => ({ middleware: openForks({ mode: 'replay', method: 'GET', at: /^\/runs\// }) }),
  },
  'replays-readable-without-scope': {
    breaks: 'A credential of the tenant may read replays, also one that may not read runs.',
    kills: ['privacy.same-access-checks.scope'],
    parts: () => ({ middleware: openForks({ mode: 'replay', method: 'GET', refusedWith: 403 }) }),
  },
  'replay-diffs-readable-without-scope': {
    breaks: 'A credential that may not read runs may compare replays.',
    kills: ['privacy.same-access-checks.scope'],
    parts: () => ({ middleware: openForks({ mode: 'replay', method: 'GET', ending: ':diff', refusedWith: 403 }) }),
  },
  'replay-logs-readable-without-scope': {
    breaks: 'A credential that may not read runs may read the logs and streams of replays.',
    kills: ['privacy.same-access-checks.scope'],
    parts: () => ({ middleware: openForks({ mode: 'replay', method: 'GET', ending: '/events', refusedWith: 403 }) }),
  },
  'branches-open-to-all': {
    breaks: 'Whoever knows the id of a branch may read it, fork it and cancel it.',
    kills: ['privacy.same-access-checks.branch'],
    parts: () => ({ middleware: openForks({ mode: 'branch', method: 'any' }) }),
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
