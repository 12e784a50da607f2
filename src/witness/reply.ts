import type { ServerResponse } from 'node:http';
import type { Json } from '../evidence/types.ts';

/** An answer of the witness: JSON, or the text of an event stream. */
export interface Reply {
  readonly status: number;
  readonly body: Json;
  readonly stream?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** An error in the shape that chat clients read. */
export function refusal(status: number, code: string, message: string): Reply {
  return { status, body: { error: { code, message } } };
}

/** The answer to a method that a path does not have. */
export function methodNotAllowed(allowed: readonly string[]): Reply {
  const reply = refusal(405, 'method_not_allowed', `this path takes ${allowed.join(' and ')}`);
  return { ...reply, headers: { allow: allowed.join(', ') } };
}

export const NOT_FOUND = refusal(404, 'not_found', 'there is nothing here');
export const TOO_LARGE = refusal(413, 'too_large', 'the body is larger than the witness reads');

/** Sends an answer; a caller that has gone away hears nothing. */
export function send(response: ServerResponse, { status, body, stream, headers }: Reply): void {
  if (response.destroyed || response.headersSent) return;
  const type = stream === undefined ? 'application/json' : 'text/event-stream';
  const close = status === 413 ? { connection: 'close' } : {};
  response
    .writeHead(status, { 'content-type': type, 'cache-control': 'no-store', ...close, ...headers })
    .end(stream ?? JSON.stringify(body));
}
