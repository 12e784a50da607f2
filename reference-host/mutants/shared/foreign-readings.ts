import type { Defect } from '../mutant.ts';
import { withCredential, without } from './fork-parts.ts';
import { knowingCreators } from './run-memory.ts';

const RUN = /^\/v1\/runs\/([^/:]+)/;

/** A defect that serves one kind of request about a run to other tenants as well, as if its owner had sent it. */
export function servingForeign({
  fits,
  ...named
}: Pick<Defect, 'breaks' | 'kills'> & {
  readonly fits: (method: string, path: string, request: Request) => boolean;
}): Defect {
  return {
    ...named,
    parts: knowingCreators(async (request, next, owners) => {
      const { pathname } = new URL(request.url);
      const owner = owners.get(decodeURIComponent(RUN.exec(pathname)?.[1] ?? ''));
      if (owner === undefined || !fits(request.method, pathname, request)) return next(request);
      const body = request.method === 'GET' ? null : await request.text();
      const as = (headers: Headers): Request => new Request(request.url, { method: request.method, headers, body });
      const response = await next(as(without(request.headers, 'content-length')));
      if (response.status !== 404) return response;
      return next(as(without(withCredential(request.headers, owner), 'content-length')));
    }),
  };
}
