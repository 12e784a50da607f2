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
  /** Only what is refused with this status otherwise; whatever is refused where absent. */
  readonly refusedWith?: number;
}

const RUN = /^\/v1\/runs\/([^/:]+)/;

/** Lets everybody with a credential through to forks of a mode, as if they were their owner. */
export function openForks({ mode, method, ending = '', refusedWith }: Open): HostParts['middleware'] {
  const owners = new Map<string, string>();
  return (next) => async (request) => {
    const { pathname } = new URL(request.url);
    const owner = owners.get(RUN.exec(pathname)?.[1] ?? '');
    const caller = request.headers.get('authorization');
    const isOther = owner !== undefined && caller !== null && caller !== owner;
    const isAsked = (method === 'any' || request.method === method) && pathname.endsWith(ending);
    const isRefused = async (): Promise<boolean> =>
      refusedWith === undefined || (await next(request.clone())).status === refusedWith;
    if (isOther && isAsked && (await isRefused())) {
      const body = request.method === 'GET' ? {} : { body: await request.text() };
      const headers = withCredential(request.headers, owner);
      return next(new Request(request.url, { method: request.method, headers, ...body }));
    }
    const notice = noticing(next, /:fork$/, ({ asked, runId, credential }) => {
      if (asked['mode'] === mode && credential !== null) owners.set(runId, credential);
    });
    return notice(request);
  };
}
