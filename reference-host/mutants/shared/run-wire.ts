import { isObject, parseJson, type JsonObject } from '../../json.ts';
import type { Fetch, HostParts } from '../../parts.ts';
import type { RunEvent } from '../../store/event.ts';
import { respond, runNotFound } from '../../types/answers.ts';

type Parts = () => Partial<HostParts>;

/** Answers requests of this method to these paths otherwise. */
export function answering(
  method: string,
  path: RegExp,
  answer: (response: () => Promise<Response>, request: Request) => Response | Promise<Response>,
): Parts {
  return () => ({
    middleware: (next) => (request) => {
      const isMeant = request.method === method && path.test(new URL(request.url).pathname);
      return isMeant ? answer(async () => next(request), request) : next(request);
    },
  });
}

/** Answers otherwise than the host does, given its answer. */
export function answered(
  method: string,
  path: RegExp,
  change: (answer: Response, request: Request) => Response | Promise<Response>,
): Parts {
  return answering(method, path, async (response, request) => change(await response(), request));
}

/** Answers otherwise where the host answers with this status. */
export function answeredInstead(method: string, path: RegExp, status: number, instead: () => Response): Parts {
  return answered(method, path, (answer) => (answer.status === status ? instead() : answer));
}

/** Answers what the host makes with 200 in the place of 201. */
export function madeWithout201(path: RegExp): Parts {
  return answered('POST', path, (answer) =>
    answer.status === 201 ? new Response(answer.body, { headers: answer.headers }) : answer,
  );
}

/** Changes the query of requests before the host sees them; those whose query stays as it is pass unchanged. */
export function withQuery(change: (query: URLSearchParams, pathname: string) => void): Parts {
  return () => ({
    middleware: (next) => (request) => {
      const url = new URL(request.url);
      change(url.searchParams, url.pathname);
      const { headers, signal } = request;
      return next(url.href === request.url ? request : new Request(url, { headers, signal }));
    },
  });
}

/** Changes the list of events in every JSON answer below a path. */
export function rewritingEvents(path: RegExp, change: (events: readonly JsonObject[]) => readonly JsonObject[]): Parts {
  return () => ({
    middleware: (next) => async (request) => {
      const response = await next(request);
      if (!path.test(new URL(request.url).pathname) || !isJson(response)) return response;
      const body: unknown = await response.json();
      if (!isObject(body) || !Array.isArray(body['events'])) return Response.json(body, response);
      return Response.json({ ...body, events: change(body['events'].filter(isObject)) }, { status: response.status });
    },
  });
}

/** Shows the payloads of events that are meant without one member. */
export function withoutMember(name: string, isMeant: (event: RunEvent) => boolean): Parts {
  return () => ({
    eventOnWire: (event) => {
      if (!isMeant(event) || !isObject(event.payload)) return event;
      const members = Object.entries(event.payload).filter(([each]) => each !== name);
      return { ...event, payload: Object.fromEntries(members) };
    },
  });
}

/** Shows events of the logs of some runs otherwise, one by one, in every way of reading. */
export function showingEvents(
  isMeant: (runId: string) => boolean,
  change: (event: JsonObject) => readonly JsonObject[],
): HostParts['middleware'] {
  return (next) => async (request) => {
    const response = await next(request);
    const [, runId] = /^\/v1\/runs\/([^/]+)\/events(?:\/poll)?$/u.exec(new URL(request.url).pathname) ?? [];
    if (runId === undefined || !isMeant(runId) || response.status !== 200) return response;
    if (!isJson(response)) return changingFrames(response, change);
    const body: unknown = await response.json();
    if (!isObject(body) || !Array.isArray(body['events'])) return Response.json(body);
    return Response.json({ ...body, events: body['events'].filter(isObject).flatMap(change) });
  };
}

/** Changes the events that are written while a stream is open, in that stream alone. */
export function changingLive(change: (event: JsonObject) => readonly JsonObject[]): Parts {
  return () => ({
    middleware: (next) => async (request) => {
      const opened = Date.now();
      const response = await next(request);
      if (response.headers.get('content-type')?.startsWith('text/event-stream') !== true) return response;
      return changingFrames(response, (event) =>
        Date.parse(String(event['timestamp'])) > opened ? change(event) : [event],
      );
    },
  });
}

/** Answers every reading of these runs as one of a run that there is not. */
export function notThere(isTouched: (runId: string) => boolean): HostParts['middleware'] {
  return (next) => (request) => {
    const [, runId] = /^\/v1\/runs\/([^/:]+)(?:\/events(?:\/poll)?)?$/u.exec(new URL(request.url).pathname) ?? [];
    const isGone = request.method === 'GET' && runId !== undefined && isTouched(runId);
    return isGone ? respond(runNotFound()) : next(request);
  };
}

/** A notice has no number (annotations). */
function idLine({ sequence }: JsonObject): string {
  return typeof sequence === 'number' ? `id: ${sequence}\n` : '';
}

/** Changes the events of a stream. */
export function changingFrames(response: Response, change: (event: JsonObject) => readonly JsonObject[]): Response {
  return rewritingFrames(response, (frame) => {
    const data = parseJson(/(?:^|\n)data: ([^\n]*)/u.exec(frame)?.[1] ?? '');
    if (!data.ok || !isObject(data.value)) return frame;
    const changed = change(data.value).map((event) =>
      event === data.value
        ? frame
        : `${idLine(event)}event: ${String(event['type'])}\ndata: ${JSON.stringify(event)}\n\n`,
    );
    return changed.join('');
  });
}

/** Changes the text of each event of a stream. The host writes whole events at a time, so none spans two chunks. */
export function rewritingFrames(response: Response, change: (frame: string) => string): Response {
  const decoder = new TextDecoder();
  const encoder = new TextEncoder();
  const changed = response.body?.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        const frames = decoder.decode(chunk, { stream: true }).split(/(?<=\n\n)/u);
        controller.enqueue(encoder.encode(frames.map(change).join('')));
      },
    }),
  );
  return new Response(changed ?? null, response);
}

/** Shows another Last-Event-ID to the host than the client sent, where a request is meant; those without one pass unchanged. */
export function resumingAt(
  change: (sequence: number) => number,
  isMeant: (request: Request) => boolean = () => true,
): Parts {
  return () => ({
    middleware: (next: Fetch) => (request: Request) => {
      const id = request.headers.get('last-event-id');
      if (id === null || !/^\d+$/.test(id) || !isMeant(request)) return next(request);
      const headers = new Headers(request.headers);
      headers.set('last-event-id', String(change(Number(id))));
      return next(new Request(request.url, { headers, signal: request.signal }));
    },
  });
}

function isJson(response: Response): boolean {
  return response.headers.get('content-type')?.startsWith('application/json') === true;
}
