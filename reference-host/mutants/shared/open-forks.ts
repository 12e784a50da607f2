import { isObject, parseJson, stringMember } from '../../json.ts';
import type { Fetch, HostParts } from '../../parts.ts';
import type { ForkMode } from '../../store/runs.ts';
import { withCredential } from './fork-parts.ts';

interface Open {
  readonly mode: ForkMode;
  /** Requests that are let through: readings, or all. */
  readonly method: 'GET' | 'any';
  /** The end of the paths that are let through; all where absent. */
  readonly ending?: string;
}

const RUN = /^\/v1\/runs\/([^/:]+)/;

/** Lets everybody with a credential through to forks of a mode, as if they were their owner. */
export function openForks({ mode, method, ending = '' }: Open): HostParts['middleware'] {
  const owners = new Map<string, string>();
  return (next) => async (request) => {
    const { pathname } = new URL(request.url);
    const owner = owners.get(RUN.exec(pathname)?.[1] ?? '');
    const caller = request.headers.get('authorization');
    const isOther = owner !== undefined && caller !== null && caller !== owner;
    const isAsked = (method === 'any' || request.method === method) && pathname.endsWith(ending);
    if (isOther && isAsked) {
      const body = request.method === 'GET' ? {} : { body: await request.text() };
      const headers = withCredential(request.headers, owner);
      return next(new Request(request.url, { method: request.method, headers, ...body }));
    }
    if (!pathname.endsWith(':fork')) return next(request);
    return remembering(next, request, { mode, owners });
  };
}

async function remembering(
  next: Fetch,
  request: Request,
  { mode, owners }: { readonly mode: ForkMode; readonly owners: Map<string, string> },
): Promise<Response> {
  const asked = parseJson(await request.clone().text());
  const credential = request.headers.get('authorization');
  const response = await next(request);
  const isOfMode = asked.ok && isObject(asked.value) && asked.value['mode'] === mode;
  if (!isOfMode || credential === null || response.status !== 201) return response;
  const answer: unknown = await response.clone().json();
  const runId = isObject(answer) ? stringMember(answer, 'runId') : undefined;
  if (runId !== undefined) owners.set(runId, credential);
  return response;
}
