import type { JsonObject } from '../../json.ts';
import { isObject } from '../../json.ts';
import type { Fetch, HostParts } from '../../parts.ts';

type Parts = () => Partial<HostParts>;

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

/** Shows another Last-Event-ID to the host than the client sent; requests without one pass unchanged. */
export function resumingAt(change: (sequence: number) => number): Parts {
  return () => ({
    middleware: (next: Fetch) => (request: Request) => {
      const id = request.headers.get('last-event-id');
      if (id === null || !/^\d+$/.test(id)) return next(request);
      const headers = new Headers(request.headers);
      headers.set('last-event-id', String(change(Number(id))));
      return next(new Request(request.url, { headers, signal: request.signal }));
    },
  });
}

function isJson(response: Response): boolean {
  return response.headers.get('content-type')?.startsWith('application/json') === true;
}
