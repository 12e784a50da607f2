import { isObject, parseJson, type JsonObject } from '../../json.ts';
import type { Fetch } from '../../parts.ts';
import type { Parts } from '../mutant.ts';

/** Something that a host has made: what was asked for, and what it answered with 201. */
interface Made {
  readonly pathname: string;
  readonly asked: JsonObject;
  readonly answer: JsonObject;
  /** The id of the run that was made, or that it was made for. */
  readonly runId: string;
  /** The Authorization header of the request. */
  readonly credential: string | null;
}

/** Notices, around a host, what it makes at some paths. */
export function noticing(next: Fetch, path: RegExp, notice: (made: Made) => void): Fetch {
  return async (request) => {
    const { pathname } = new URL(request.url);
    if (request.method !== 'POST' || !path.test(pathname)) return next(request);
    const credential = request.headers.get('authorization');
    const reading = parseJson(await request.clone().text());
    const response = await next(request);
    if (response.status !== 201) return response;
    const answer: unknown = await response.clone().json();
    const asked = reading.ok && isObject(reading.value) ? reading.value : {};
    if (isObject(answer)) notice({ pathname, asked, answer, runId: String(answer['runId']), credential });
    return response;
  };
}

const RUNS = /^\/v1\/runs$/;

/** Remembers, around a host, the Authorization header under which each run was created, by run id. */
export function rememberingOwners(next: Fetch, owners: Map<string, string>): Fetch {
  return noticing(next, RUNS, ({ runId, credential }) => void owners.set(runId, credential ?? ''));
}

/** Serves requests otherwise, knowing under which Authorization header each run was created, by run id. */
export function knowingCreators(
  serve: (request: Request, next: Fetch, owners: ReadonlyMap<string, string>) => ReturnType<Fetch>,
): Parts {
  return () => ({
    middleware: (next) => {
      const owners = new Map<string, string>();
      return rememberingOwners((request) => serve(request, next, owners), owners);
    },
  });
}

/** Remembers, around a host, the inputs with which each run was created, by run id. */
export function rememberingInputs(next: Fetch, inputs: Map<string, unknown>): Fetch {
  return noticing(next, RUNS, ({ runId, asked }) => void inputs.set(runId, asked['inputs']));
}

/** Remembers, around a host, the last annotation of each run, by run id. */
export function rememberingAnnotations(next: Fetch, annotated: Map<string, unknown>): Fetch {
  return noticing(next, /^\/v1\/runs\/[^/]+\/annotations$/, ({ runId, answer }) => void annotated.set(runId, answer));
}

/** Notices, around a host, each run that somebody wants to cancel, before the host does. */
export function noticingCancellations(next: Fetch, notice: (runId: string) => void): Fetch {
  return (request) => {
    const [, runId] = /\/v1\/runs\/([^/]+)\/cancel$/u.exec(new URL(request.url).pathname) ?? [];
    if (runId !== undefined) notice(runId);
    return next(request);
  };
}

/** Parts that know of each run in which mode it was forked from another; undefined for runs that are no forks. */
export function knowingForks(parts: (modeOf: (runId: string) => unknown) => Parts): Parts {
  return (conformant) => {
    const modes = new Map<string, unknown>();
    const changed = parts((runId) => modes.get(runId))(conformant);
    const endpoint = changed.forkEndpoint ?? conformant.forkEndpoint;
    return {
      ...changed,
      forkEndpoint: (request, next) =>
        noticing(
          (each) => endpoint(each, next),
          /:fork$/u,
          ({ runId, asked }) => void modes.set(runId, asked['mode']),
        )(request),
    };
  };
}
