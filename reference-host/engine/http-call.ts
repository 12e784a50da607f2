import { boundedBytes } from '../bounded-body.ts';
import { parseJson } from '../json.ts';

/** More than any honest tool answers. */
const MAX_ANSWER_BYTES = 1_048_576;

export interface HttpCall {
  readonly method: string;
  readonly url: string;
  /** The JSON body; none where it is undefined. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** Milliseconds that the whole exchange may take. */
  readonly timeoutMs: number;
}

export type HttpAnswer =
  | { readonly kind: 'answered'; readonly answer: unknown }
  | { readonly kind: 'failed'; readonly message: string };

/**
 * Asks a server for JSON: bounded in time and size, without following redirects, and without an exception. The message of
 * a failure holds nothing that changes from one call to the next, so that it may stand in a log.
 */
export async function callHttp(call: HttpCall): Promise<HttpAnswer> {
  if (!URL.canParse(call.url) || !/^https?:$/.test(new URL(call.url).protocol)) {
    return failed('The tool has no http address.');
  }
  try {
    return await read(await send(call));
  } catch {
    return failed('The tool gave no answer.');
  }
}

function send({ method, url, body, headers, timeoutMs }: HttpCall): Promise<Response> {
  const json = body === undefined ? {} : { 'content-type': 'application/json' };
  return fetch(url, {
    method,
    headers: { accept: 'application/json', ...json, ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    redirect: 'error',
    signal: AbortSignal.timeout(timeoutMs),
  });
}

async function read(response: Response): Promise<HttpAnswer> {
  const bytes = await boundedBytes(response, MAX_ANSWER_BYTES);
  if (bytes === undefined) {
    await response.body?.cancel();
    return failed('The tool answered with too many bytes.');
  }
  if (!response.ok) return failed(`The tool answered with status ${response.status}.`);
  const reading = parseJson(Buffer.from(bytes).toString('utf8'));
  return reading.ok ? { kind: 'answered', answer: reading.value } : failed('The tool did not answer with JSON.');
}

function failed(message: string): HttpAnswer {
  return { kind: 'failed', message };
}
