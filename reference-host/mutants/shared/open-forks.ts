import type { HostParts } from '../../parts.ts';
import type { ForkMode } from '../../store/runs.ts';
import { withCredential } from './fork-parts.ts';
import { noticing } from './run-memory.ts';

interface Open {
  readonly mode: ForkMode;
  /** Requests that are let through: readings, or all. */
  readonly method: 'GET' | 'any';
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

/** Lets everybody with a credential through to forks of a mode, as if they were their owner. */
export function openForks({ mode, method, ending = '', resumed, further, refusedWith }: Open): HostParts['middleware'] {
  const owners = new Map<string, string>();
  const forks = new Set<string>();
  return (next) => async (request) => {
    const { pathname, searchParams } = new URL(request.url);
    const owner = owners.get(RUN.exec(pathname)?.[1] ?? '');
    const caller = request.headers.get('authorization');
    const isOther = owner !== undefined && caller !== null && caller !== owner;
    const isResumed = request.headers.has('last-event-id') || searchParams.has('lastSequence');
    const isAsked =
      (method === 'any' || request.method === method) &&
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
