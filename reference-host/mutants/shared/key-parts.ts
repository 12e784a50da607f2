import { createHash } from 'node:crypto';
import { isObject, member, type JsonObject } from '../../json.ts';
import { type CacheKeyCall, NoCanonicalForm } from '../../recipe/cache-key.ts';
import type { Parts } from '../mutant.ts';

/** The check that every wrong digest turns red where the golden vectors show it. */
export const OFFLINE = ['cache-key.reproducible-offline.golden'] as const;

/** Changes the canonical object after the conformant host has built it; `request` is what it was built from. */
export function projecting(change: (projected: JsonObject, request: unknown) => object): Parts {
  return ({ projectRequest }) => ({
    projectRequest: (request) => change({ ...projectRequest(request) }, request),
  });
}

/** Serialises in another way than RFC 8785. */
export function writing(differences: Writing): Parts {
  return () => ({ serialise: (projected) => writeJson(projected, differences) });
}

/** Changes the key after it was computed; `call` is who asked for what. */
export function keying(change: (key: string, call: CacheKeyCall) => string): Parts {
  return ({ cacheKey }) => ({ cacheKey: (call, steps) => change(cacheKey(call, steps), call) });
}

/** Lets a request header enter the hashed text where it is present. */
export function withHeader(name: string): Parts {
  return keying((key, { headers }) => {
    const value = headers.get(name);
    return value === null ? key : sha256(key + value);
  });
}

/** Lowercase hexadecimal SHA-256, for keys that depend on something beside the request. */
export function sha256(text: string): string {
  return createHash('sha256').update(text, 'utf8').digest('hex');
}

/** The object without some members. */
export function without(object: JsonObject, ...names: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([name]) => !names.includes(name)));
}

/** The members of a request that it has, among some names. */
export function taken(request: unknown, names: readonly string[]): JsonObject {
  const present = names.filter((name) => member(request, name) !== undefined);
  return Object.fromEntries(present.map((name) => [name, member(request, name)]));
}

/** The canonical object with each message or tool replaced; unchanged where it has no such list. */
export function eachOf(
  projected: JsonObject,
  list: 'messages' | 'tools',
  change: (item: JsonObject) => unknown,
): JsonObject {
  return withList(projected, list, (items) => items.map((item) => (isObject(item) ? change(item) : item)));
}

/** The canonical object with its list of messages or tools replaced; unchanged where it has none. */
export function withList(
  projected: JsonObject,
  list: 'messages' | 'tools',
  change: (items: readonly unknown[]) => readonly unknown[],
): JsonObject {
  const items = member(projected, list);
  return Array.isArray(items) ? { ...projected, [list]: change(items) } : projected;
}

/** The canonical object with the content of each message replaced. */
export function eachContent(projected: JsonObject, change: (content: unknown) => unknown): JsonObject {
  return eachOf(projected, 'messages', (message) => ({ ...message, content: change(member(message, 'content')) }));
}

/** What a mutant writes in another way than RFC 8785; everything that it leaves out is written as the RFC says. */
interface Writing {
  /** The names of an object in the order in which they are written; depth 0 is the recipe's object. */
  readonly names?: (names: readonly string[], depth: number) => readonly string[];
  readonly number?: (value: number) => string;
  readonly string?: (text: string) => string;
}

/**
 * Writes a JSON value without white space. It shares nothing with the library of the conformant host, so that a mutant
 * differs in what it names and in nothing else. Throws NoCanonicalForm where RFC 8785 has no form. Expects a value of
 * bounded nesting.
 */
function writeJson(value: unknown, how: Writing, depth: number = 0): string {
  const { names = byCodeUnit, number = finiteNumber, string = wellFormedString } = how;
  if (typeof value === 'number') return number(value);
  if (typeof value === 'string') return string(value);
  if (Array.isArray(value)) return `[${value.map((item) => writeJson(item, how, depth + 1)).join(',')}]`;
  if (!isObject(value)) return String(value);
  const members = names(Object.keys(value), depth).map(
    (name) => `${string(name)}:${writeJson(member(value, name), how, depth + 1)}`,
  );
  return `{${members.join(',')}}`;
}

/** UTF-16 code units: what sorting strings does without a comparator. */
export function byCodeUnit(names: readonly string[]): readonly string[] {
  return names.toSorted();
}

/** ECMAScript's form, in which negative zero has no sign. Throws NoCanonicalForm for a number beyond binary64. */
export function finiteNumber(value: number): string {
  if (!Number.isFinite(value)) throw new NoCanonicalForm('The request holds a number that is no binary64.');
  return String(value);
}

/** A quoted string. Throws NoCanonicalForm for a lone surrogate. */
export function wellFormedString(text: string): string {
  if (!text.isWellFormed()) throw new NoCanonicalForm('The request holds a lone surrogate.');
  return JSON.stringify(text);
}
