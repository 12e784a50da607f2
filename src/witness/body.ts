import type { IncomingMessage } from 'node:http';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { isTooDeep } from '../evidence/json-depth.ts';
import type { Json } from '../evidence/types.ts';

const unzip = promisify(gunzip);
const decoder = new TextDecoder('utf-8', { fatal: true });

/** A request's body within its bound, or why there is none. */
export type BodyReading =
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
