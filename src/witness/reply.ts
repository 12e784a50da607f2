import type { IncomingMessage, ServerResponse } from 'node:http';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { isTooDeep } from '../evidence/json-depth.ts';
import type { Json } from '../evidence/types.ts';

const unzip = promisify(gunzip);
const decoder = new TextDecoder('utf-8', { fatal: true });

/** A request's body within its bound, or why there is none. */
type BodyReading =
  | { readonly kind: 'read'; readonly bytes: Buffer }
  | { readonly kind: 'too-large' }
  /** The caller went away before the body was complete. */
  | { readonly kind: 'broken-off' };

/** Reads a request's body of at most `limit` bytes; never rejects. What is beyond is let through unread. */
export function readBody(request: IncomingMessage, limit: number): Promise<BodyReading> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let length = 0;
    request.on('data', (chunk: Buffer) => {
      length += chunk.byteLength;
      if (length > limit) {
        chunks.length = 0;
        resolve({ kind: 'too-large' });
      } else chunks.push(chunk);
    });
    request.once('end', () => resolve({ kind: 'read', bytes: Buffer.concat(chunks) }));
    request.once('error', () => resolve({ kind: 'broken-off' }));
    request.once('close', () => resolve({ kind: 'broken-off' }));
  });
}

/** Unpacks gzip to at most `limit` bytes; undefined where it is more, or no gzip. */
export async function unpack(bytes: Buffer, limit: number): Promise<Buffer | undefined> {
  try {
    return await unzip(bytes, { maxOutputLength: limit });
  } catch {
    return undefined;
  }
}

/** A body as JSON; undefined where it is empty, not UTF-8, no JSON, or nested too deep to be walked. */
export function parseJson(bytes: Buffer): Json | undefined {
  try {
    const text = decoder.decode(bytes);
    return isTooDeep(text) ? undefined : (JSON.parse(text) as Json);
  } catch {
    return undefined;
  }
}

/** A member of a JSON object by its own name; undefined for anything else, inherited names among it. */
export function own(value: Json | undefined, name: string): Json | undefined {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
  return (value as { readonly [key: string]: Json })[name];
}

/** The items of a JSON array; none for anything else. */
export function items(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? (value as readonly Json[]) : [];
}

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
