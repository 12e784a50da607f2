import { hash } from 'node:crypto';
import canonicalize from 'canonicalize';
import { isObject, listMember, member, type JsonObject } from '../json.ts';

/** Who asks for a key, and how. Only `request` may influence it (replay.md, LLM cache-key recipe §A). */
export interface CacheKeyCall {
  readonly request: unknown;
  readonly rawText: string;
  readonly headers: Headers;
  readonly tenant: string;
}

/** The recipe's steps (§B 1 to 4); each may be replaced alone. */
export interface CacheKeySteps {
  readonly projectRequest: (request: unknown) => object;
  /** Throws NoCanonicalForm. */
  readonly serialise: (projected: object) => string;
  readonly digest: (text: string) => string;
}

/** The request holds a value that RFC 8785 cannot write: a lone surrogate, or a number beyond binary64. */
export class NoCanonicalForm extends Error {
  override readonly name = 'NoCanonicalForm';
}

/** What `make` makes; undefined where it throws NoCanonicalForm. */
export function whereCanonical<T>(make: () => T): T | undefined {
  try {
    return make();
  } catch (error) {
    if (error instanceof NoCanonicalForm) return undefined;
    throw error;
  }
}

/** The steps one after the other. Throws NoCanonicalForm. */
export function cacheKey(call: CacheKeyCall, steps: CacheKeySteps): string {
  return steps.digest(steps.serialise(steps.projectRequest(call.request)));
}

/**
 * The canonical object of §B.1: the closed set of fields, absent optionals left out, tools by name. An explicit null
 * and an empty tool list count as absent. Expects a request that passed `validateKeyRequest`.
 */
export function projectRequest(request: unknown): object {
  const tools = listMember(request, 'tools').map((tool) => pick(tool, ['name', 'description', 'parameters']));
  return {
    ...pick(request, ['provider', 'model', 'temperature', 'topP', 'topK']),
    messages: listMember(request, 'messages').map((message) =>
      pick(message, ['role', 'content', 'name', 'toolCallId']),
    ),
    ...(tools.length === 0 ? {} : { tools: tools.toSorted(byName) }),
    ...optional('responseFormat', member(request, 'responseFormat'), (format) => pick(format, ['type', 'schema'])),
  };
}

/** RFC 8785 text of the canonical object. Throws NoCanonicalForm. */
export function serialise(projected: object): string {
  let text: string | undefined;
  try {
    text = canonicalize(projected);
  } catch {
    throw new NoCanonicalForm('The request holds a value that has no canonical JSON form (RFC 8785).');
  }
  if (text === undefined) throw new NoCanonicalForm('The request has no canonical JSON form (RFC 8785).');
  return text;
}

/** SHA-256 of the text's UTF-8 bytes in lowercase hex (§B.3, §B.4). */
export function digest(text: string): string {
  return hash('sha256', text, 'hex');
}

/** UTF-16 code units, as everywhere in RFC 8785: a locale would make the key depend on the machine. */
function byName(left: JsonObject, right: JsonObject): number {
  const a = String(left['name']);
  const b = String(right['name']);
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

function pick(value: unknown, names: readonly string[]): JsonObject {
  const present = names.filter((name) => (member(value, name) ?? null) !== null);
  return Object.fromEntries(present.map((name) => [name, member(value, name)]));
}

function optional(name: string, value: unknown, map: (value: unknown) => unknown): JsonObject {
  return isObject(value) ? { [name]: map(value) } : {};
}
