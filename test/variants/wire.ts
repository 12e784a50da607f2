import { isObject, type JsonObject } from '../../reference-host/json.ts';
import type { Fetch, HostParts } from '../../reference-host/parts.ts';
import type { RunEvent } from '../../reference-host/store/event.ts';
import type { Variant } from './variant.ts';

type Parts = () => Partial<HostParts>;

/** Changes every event that is shown; `event` is the host's own. */
export function onWire(change: (shown: JsonObject, event: RunEvent) => unknown): Variant['parts'] {
  return ({ eventOnWire }) => ({
    eventOnWire: (event, reading) => {
      const shown = eventOnWire(event, reading);
      return isObject(shown) ? change(shown, event) : shown;
    },
  });
}

/** Changes the discovery document. */
export function inDiscovery(change: (document: JsonObject) => unknown): Variant['parts'] {
  return ({ discovery }) => ({
    discovery: (document) => {
      const given = discovery(document);
      return isObject(given) ? change(given) : given;
    },
  });
}

/** Around every request whose path the pattern matches; the others go straight to the host. */
export function around(path: RegExp, answer: (request: Request, next: Fetch) => ReturnType<Fetch>): Parts {
  return () => ({
    middleware: (next) => (request) =>
      path.test(new URL(request.url).pathname) ? answer(request, next) : next(request),
  });
}

/** Changes the JSON object of every answer below a path; streams and other answers pass unchanged. */
export function rewritingJson(path: RegExp, change: (body: JsonObject, response: Response) => unknown): Parts {
  return around(path, async (request, next) => {
    const response = await next(request);
    if (!isJson(response)) return response;
    const body: unknown = await response.json();
    return new Response(JSON.stringify(isObject(body) ? change(body, response) : body), response);
  });
}

/** Changes the text of an answer; of an event stream, chunk by chunk. */
export async function rewritingText(response: Response, change: (text: string) => string): Promise<Response> {
  if (response.body === null) return response;
  if (!isEventStream(response)) return new Response(change(await response.text()), response);
  const decoder = new TextDecoder();
  const encoder = new TextEncoder();
  const changed = response.body.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        controller.enqueue(encoder.encode(change(decoder.decode(chunk, { stream: true }))));
      },
    }),
  );
  return new Response(changed, response);
}

/** A reading request as one that accepts JSON. The host's own request objects cannot be copied by `new Request`. */
export function acceptingJson({ url, headers, signal }: Request): Request {
  const changed = new Headers(headers);
  changed.set('accept', 'application/json');
  return new Request(url, { headers: changed, signal });
}

/** Both of two differences: the first one is nearer to the host. */
export function both(inner: Parts, outer: Parts): Parts {
  return () => {
    const [{ middleware: near = same, ...a }, { middleware: far = same, ...b }] = [inner(), outer()];
    return { ...a, ...b, middleware: (next) => far(near(next)) };
  };
}

function same(next: Fetch): Fetch {
  return next;
}

/** Runs are created and forked with the poll endpoint as their eventsUrl, for hosts without another one. */
export const pollUrls: Parts = rewritingJson(/^\/v1\/runs(\/[^/]+:fork)?$/, (body) =>
  typeof body['eventsUrl'] === 'string' ? { ...body, eventsUrl: `${body['eventsUrl']}/poll` } : body,
);

/** The canonical refusal, for endpoints that a variant does not have. */
export function refused(status: number, error: string): Response {
  return Response.json({ error, message: 'This host does not offer that.' }, { status });
}

export function isEventStream(response: Response): boolean {
  return response.headers.get('content-type')?.startsWith('text/event-stream') === true;
}

export function isJson(response: Response): boolean {
  return response.headers.get('content-type')?.startsWith('application/json') === true;
}
