import { valueOf, withMember, type JsonNode, type ObjectNode } from './json-node.ts';
import { parseJsonText } from './json-text.ts';
import { projectRequest, requestMistake, type Recipe } from './recipe.ts';
import { rightSteps } from './right-steps.ts';
import type { Steps, ToolOrder } from './steps.ts';
import { NODE, spend } from './work.ts';
import { writeNode, type Written } from './write.ts';

/** A request's key with the text that was hashed, or why there is none. */
export type KeyResult =
  | { readonly ok: true; readonly canonical: string; readonly cacheKey: string }
  | {
      readonly ok: false;
      readonly code: 'not-json' | 'malformed-request' | 'no-canonical-form';
      readonly message: string;
    };

/** A request read and found to be one. */
export type ReadRequest =
  | { readonly ok: true; readonly request: ObjectNode }
  | { readonly ok: false; readonly code: 'not-json' | 'malformed-request'; readonly message: string };

/**
 * The LLM cache key of a request (replay.md §A, §B; RFC 0041 §A), from the request's own text. Of repeated members the
 * last one counts. Gives `not-json`, `malformed-request` (provider, model or messages missing, or a field mistyped) or
 * `no-canonical-form` (lone surrogate, number beyond a double) where there is no key.
 */
export function computeKey(requestText: string, recipe: Recipe): KeyResult {
  const read = readRequest(requestText);
  return read.ok ? runSteps(read.request, rightSteps[recipe]) : read;
}

/** Reads a request text and checks that it is a cache-key request. */
export function readRequest(requestText: string): ReadRequest {
  const parsed = parseJsonText(requestText);
  if (!parsed.ok) {
    return { ok: false, code: 'not-json', message: `${parsed.message} (at offset ${parsed.offset})` };
  }
  const mistake = requestMistake(parsed.node);
  if (mistake !== undefined || parsed.node.kind !== 'object') {
    return { ok: false, code: 'malformed-request', message: mistake ?? 'the request is not a JSON object' };
  }
  return { ok: true, request: parsed.node };
}

/** Runs a computation over a request that was read; `no-canonical-form` is the only way to fail. */
export function runSteps(request: ObjectNode, steps: Steps): KeyResult {
  const written = writtenText(request, steps);
  if (!written.ok) return { ok: false, code: 'no-canonical-form', message: written.message };
  const canonical = finished(written.text, steps);
  return { ok: true, canonical, cacheKey: hashed(canonical, steps) };
}

/** The text that a computation writes, before its `finish`. */
export function writtenText(request: ObjectNode, steps: Steps): Written {
  return writeNode(shaped(request, steps), steps);
}

/** The recipe's fields of requests: most wrong rules change the same ones, or write them otherwise. */
const rightFields = {
  'rfc-0041': new WeakMap<ObjectNode, ObjectNode>(),
  'rfc-0150': new WeakMap<ObjectNode, ObjectNode>(),
};

/** The object that is written and hashed. */
function shaped(request: ObjectNode, steps: Steps): ObjectNode {
  const fields = steps.reshape.reduce((changed, change) => change(changed), fieldsOf(request, steps));
  return steps.recipe.assemble(fields);
}

function fieldsOf(request: ObjectNode, steps: Steps): ObjectNode {
  const recipe = recipes.find((name) => takesAlike(steps, rightSteps[name]));
  if (recipe === undefined) return takenFields(request, steps);
  const known = rightFields[recipe].get(request) ?? takenFields(request, steps);
  rightFields[recipe].set(request, known);
  return known;
}

const recipes = ['rfc-0041', 'rfc-0150'] as const satisfies readonly Recipe[];

function takesAlike(a: Steps, b: Steps): boolean {
  return a.recipe === b.recipe && a.extra === b.extra && a.toolOrder === b.toolOrder;
}

function takenFields(request: ObjectNode, { recipe, extra, toolOrder }: Steps): ObjectNode {
  const fields = projectRequest(request, recipe, extra);
  return toolOrder === undefined ? fields : orderTools(fields, toolOrder);
}

/** The key of a written text: what a computation does after it has written. */
export function keyOfText(text: string, steps: Steps): string {
  return hashed(finished(text, steps), steps);
}

function finished(text: string, { finish }: Steps): string {
  return finish.reduce((changed, change) => change(changed), text);
}

/** A hash of a short text costs as much as one of this length. */
const HASH = 200;

function hashed(text: string, { bytes, hash, encode }: Steps): string {
  spend(HASH + text.length);
  return encode(hash(bytes(text)));
}

function orderTools(fields: ObjectNode, order: ToolOrder): ObjectNode {
  const tools = valueOf(fields, 'tools');
  if (tools?.kind !== 'array' || !tools.items.every(isObject)) return fields;
  const counted: ToolOrder = (a, b) => {
    spend(NODE);
    return order(a, b);
  };
  return withMember(fields, 'tools', { ...tools, items: tools.items.toSorted(counted) });
}

function isObject(node: JsonNode): node is ObjectNode {
  return node.kind === 'object';
}

/** The RFC 8785 form of any JSON text, or why it has none (not JSON, lone surrogate, number beyond a double). */
export function canonicalJson(text: string): Written {
  const parsed = parseJsonText(text);
  if (!parsed.ok) return { ok: false, message: `${parsed.message} (at offset ${parsed.offset})` };
  return writeNode(parsed.node, rightSteps['rfc-0041']);
}

/** A run looks at each request several times: when it is answered, in its row, and when the recipe is told. */
const remembered = {
  'rfc-0041': remembering<string | undefined>(16_384),
  'rfc-0150': remembering<string | undefined>(16_384),
};

/** The key that the recipe gives for a request's text, or undefined where it has none; computed once. */
export function rightKeyOf(request: string, recipe: Recipe): string | undefined {
  return remembered[recipe](request, () => {
    const result = computeKey(request, recipe);
    return result.ok ? result.cacheKey : undefined;
  });
}

/**
 * Remembers what a pure function made of its last arguments, and forgets all of it when they are more than `most`. How much
 * a key counts is 1 unless `sizeOf` says otherwise.
 */
export function remembering<V, K = unknown>(
  most: number,
  sizeOf: (key: K) => number = () => 1,
): (key: K, make: () => V) => V {
  const known = new Map<K, { readonly value: V }>();
  let held = 0;
  return (key, make) => {
    const found = known.get(key);
    if (found !== undefined) return found.value;
    const value = make();
    const size = sizeOf(key);
    if (size > most) return value;
    held += size;
    if (held > most) {
      known.clear();
      held = size;
    }
    known.set(key, { value });
    return value;
  };
}
