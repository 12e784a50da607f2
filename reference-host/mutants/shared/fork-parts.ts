import { isObject, parseJson, type JsonObject } from '../../json.ts';
import type { Fetch, HostParts } from '../../parts.ts';
import { refusal, respond } from '../../types/answers.ts';
import type { Parts } from '../mutant.ts';

/** A request for a fork, read. */
export interface ForkCall {
  readonly sourceRunId: string;
  readonly text: string;
  /** The body where it is a JSON object; otherwise an object without members. */
  readonly body: JsonObject;
  readonly headers: Headers;
  /** The host behind the defect. */
  readonly next: Fetch;
  /** Sends the request on to the host, with another body or other headers where they are given. */
  readonly send: (changes?: { readonly body?: unknown; readonly headers?: Headers }) => Promise<Response>;
}

const FORK = /^\/v1\/runs\/([^/]+):fork$/;

/** Answers requests for forks in the endpoint's place. */
export function forking(answer: (call: ForkCall) => Response | Promise<Response>) {
  return (): Pick<HostParts, 'forkEndpoint'> => ({
    forkEndpoint: async (request, next) => {
      const [, sourceRunId = ''] = FORK.exec(new URL(request.url).pathname) ?? [];
      const bytes = new Uint8Array(await request.arrayBuffer());
      const text = new TextDecoder().decode(bytes);
      const reading = parseJson(text);
      const body = reading.ok && isObject(reading.value) ? reading.value : {};
      const send: ForkCall['send'] = async (changes = {}) => {
        const { headers = request.headers } = changes;
        const sent = changes.body === undefined ? bytes : JSON.stringify(changes.body);
        return next(new Request(request.url, { method: 'POST', headers: without(headers, LENGTH), body: sent }));
      };
      return answer({ sourceRunId, text, body, headers: request.headers, next, send });
    },
  });
}

const LENGTH = 'content-length';

/** Carries out another request for a fork than the one that came; undefined carries out that one. */
export function forkingInstead(change: (body: JsonObject, call: ForkCall) => unknown): Parts {
  return forking((call) => {
    const body = change(call.body, call);
    return body === undefined ? call.send() : call.send({ body });
  });
}

/** Carries out requests for forks with another value of a member, where `change` gives another one. */
export function readingForkMember(name: string, change: (value: unknown) => unknown): Parts {
  return forkingInstead((body) => {
    const value = change(body[name]);
    return Object.is(value, body[name]) ? undefined : { ...body, [name]: value };
  });
}

/** Refuses the requests for forks that fit. */
export function refusingForks(fits: (call: ForkCall) => boolean, status: number, code: string, message: string): Parts {
  return forking((call) => (fits(call) ? respond(refusal(status, code, message)) : call.send()));
}

/** Answers with another status where a fork is refused with one. */
export function refusedWith(status: number, instead: number): Parts {
  return forkRefused((response) =>
    response.status === status ? new Response(response.body, { headers: response.headers, status: instead }) : response,
  );
}

/** Changes the answers that created a fork; those that are given back as they were go out as the host sent them. */
export function forkAnswered(change: (answer: JsonObject, call: ForkCall) => JsonObject): Parts {
  return forking(async (call) => {
    const response = await call.send();
    if (!response.ok) return response;
    const answer: unknown = await response.clone().json();
    const changed = isObject(answer) ? change(answer, call) : answer;
    if (changed === answer) return response;
    return Response.json(changed, { status: response.status, headers: without(response.headers, LENGTH) });
  });
}

/** The events of forks of this mode carry the run ids of their sources. */
export function namingSources(mode: string): Parts {
  return (conformant) => {
    const sources = new Map<string, string>();
    return {
      ...forkAnswered((answer, { body, sourceRunId }) => {
        if (body['mode'] === mode) sources.set(String(answer['runId']), sourceRunId);
        return answer;
      })(conformant),
      eventOnWire: (event) => ({ ...event, runId: sources.get(event.runId) ?? event.runId }),
    };
  };
}

/** Changes the answers that refused a fork. */
export function forkRefused(change: (response: Response) => Response | Promise<Response>): Parts {
  return forking(async ({ send }) => {
    const response = await send();
    return response.status >= 400 ? change(response) : response;
  });
}

/** Changes the snapshot of a run after requests to fork it that count. */
export function snapshotOnceForked(
  counts: (call: ForkCall, status: number) => boolean,
  change: (snapshot: JsonObject) => JsonObject,
): Parts {
  return onceForked(counts, (isTouched) => ({
    snapshotOnWire: (snapshot) => (isTouched(String(snapshot['runId'])) ? change(snapshot) : snapshot),
  }));
}

/** Does otherwise about runs after requests to fork them that count. */
export function onceForked(
  counts: (call: ForkCall, status: number) => boolean,
  otherwise: (isTouched: (runId: string) => boolean) => Partial<HostParts>,
): Parts {
  return () => {
    const touched = new Set<string>();
    return {
      ...forking(async (call) => {
        const response = await call.send();
        if (counts(call, response.status)) touched.add(call.sourceRunId);
        return response;
      })(),
      ...otherwise((runId) => touched.has(runId)),
    };
  };
}

/** An object without one of its members. */
export function leftOut(object: JsonObject, name: string): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([each]) => each !== name));
}

/** Headers without one. */
export function without(headers: Headers, name: string): Headers {
  const others = new Headers(headers);
  others.delete(name);
  return others;
}

/** Headers with the credential of another caller. */
export function withCredential(headers: Headers, credential: string): Headers {
  const others = new Headers(headers);
  others.set('authorization', credential);
  return others;
}

/** The log of a run, read with the caller's own credential. */
export async function logOf({
  next,
  sourceRunId,
  headers,
}: Pick<ForkCall, 'next' | 'sourceRunId' | 'headers'>): Promise<readonly unknown[]> {
  const url = `http://host/v1/runs/${sourceRunId}/events`;
  const authorization = headers.get('authorization') ?? '';
  const response = await next(new Request(url, { headers: { accept: 'application/json', authorization } }));
  const log: unknown = await response.json();
  const events = isObject(log) ? log['events'] : log;
  return Array.isArray(events) ? events : [];
}

/** The workflow of the run that is to be forked, read with the caller's own credential. */
export async function workflowOf({ next, sourceRunId, headers }: ForkCall): Promise<unknown> {
  const authorization = headers.get('authorization') ?? '';
  const response = await next(new Request(`http://host/v1/runs/${sourceRunId}`, { headers: { authorization } }));
  const snapshot: unknown = await response.json();
  return isObject(snapshot) ? snapshot['workflowId'] : undefined;
}

/** A refusal whose error code stands in an object of its own. */
export async function nestedEnvelope(response: Response): Promise<Response> {
  const { error, message } = Object(await response.json()) as { error: unknown; message: unknown };
  return Response.json({ error: { code: error, message } }, { status: response.status });
}
