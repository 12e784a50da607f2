import { isObject, parseJson, type JsonObject } from '../../reference-host/json.ts';
import type { Fetch, HostParts } from '../../reference-host/parts.ts';
import { around } from './wire.ts';

/** A request to fork a run, with its text read. */
export interface ForkRequest {
  readonly request: Request;
  readonly text: string;
  /** The body where it is a JSON object; otherwise an object without members. */
  readonly body: JsonObject;
  readonly next: Fetch;
  /** Sends the request on to the host. */
  readonly send: () => Promise<Response>;
}

/** Around every request for a fork. */
export function aroundForks(answer: (fork: ForkRequest) => Promise<Response>): () => Partial<HostParts> {
  return around(/^\/v1\/runs\/[^/]+:fork$/, async (request, next) => {
    const bytes = new Uint8Array(await request.arrayBuffer());
    const text = new TextDecoder().decode(bytes);
    const reading = parseJson(text);
    const send: ForkRequest['send'] = async () => {
      const headers = new Headers(request.headers);
      headers.delete('content-length');
      return next(new Request(request.url, { method: 'POST', headers, body: bytes }));
    };
    return answer({ request, text, body: reading.ok && isObject(reading.value) ? reading.value : {}, next, send });
  });
}
