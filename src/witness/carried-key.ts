import type { IncomingMessage } from 'node:http';
import type { Json } from '../evidence/types.ts';

/** A key as it goes downstream (provable-semantics §4.2), whole and of a bounded length. */
const KEY = /^aetheris:[^"\\]{1,1024}$/u;
/** The same as a text of a JSON document. */
const KEY_IN_JSON = /"(aetheris:[^"\\]{1,1024})"/u;

/**
 * The key that a request carries: one of the downstream form in its Idempotency-Key header, in another one or in its query,
 * as the specification names no carrier; else whatever Idempotency-Key holds, or null.
 */
export function keyOfRequest({ headers, url = '' }: Pick<IncomingMessage, 'headers' | 'url'>): string | null {
  const named = headers['idempotency-key'];
  const own = typeof named === 'string' ? named : null;
  const query = new URLSearchParams(url.split('?', 2)[1] ?? '');
  const values = [own, ...Object.values(headers).flat()].flatMap((each) => [each, unquoted(each)]);
  const carried = [...values, ...query.values()];
  return carried.find((each) => typeof each === 'string' && isCarriedKey(each)) ?? own;
}

/** What stands between quotation marks, as a header's value may be written as a structured field (RFC 8941). */
function unquoted(value: string | null | undefined): string | undefined {
  return /^"(?<text>[^"]*)"$/u.exec(value ?? '')?.groups?.['text'];
}

/** The key of the downstream form that a body holds; undefined where it holds none. */
export function keyInBody(body: Json): string | undefined {
  return KEY_IN_JSON.exec(JSON.stringify(body))?.[1];
}

/** Whether a text is a key of the downstream form. */
export function isCarriedKey(text: string | null): boolean {
  return text !== null && KEY.test(text);
}
