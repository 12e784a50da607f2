import { parseJsonText, rightKeyOf, type JsonNode, type Member } from '../../src/cache-key/index.ts';
import type { RecipeName } from '../../src/runner/scenario.ts';
import type { Library } from '../shared/generate-text.ts';
import type { Generated } from './generate.ts';
import { isUnobserved, type KeyAnswered, type KeyObservation } from './observation.ts';
import { isAllowedRefusal } from './refusable.ts';
import { sendOne, type Line } from './send.ts';

/** Requests that one shrinking may cost. */
const BUDGET = 300;

/** Whether an answer to a valid request is wrong; one that says nothing about the request, or may refuse it, is not. */
export function isMismatch(request: string, answer: KeyAnswered, recipe: RecipeName): boolean {
  if (isUnobserved(answer) || isAllowedRefusal({ request, answer }, recipe)) return false;
  return answer.kind !== 'key' || rightKeyOf(request, recipe) !== answer.key;
}

/** What is made smaller, and within which time. */
interface Shrinking {
  readonly generated: Generated;
  readonly recipe: RecipeName;
  readonly withinMs: number;
}

/**
 * Makes a generated request that the host answers wrongly as small as it can while the host goes on answering wrongly, and
 * returns the smallest one sent. Stops at its budget, when the signal aborts and at a deadline in milliseconds.
 */
export async function shrink(
  fc: Library,
  line: Line,
  { generated, recipe, withinMs }: Shrinking,
): Promise<KeyObservation | undefined> {
  let smallest: KeyObservation | undefined;
  let sent = 0;
  const deadline = performance.now() + withinMs;
  const holds = async (request: string): Promise<boolean> => {
    if (sent >= BUDGET || line.signal.aborted || performance.now() > deadline) return true;
    sent += 1;
    const observation = await sendOne(line, { name: 'smallest wrong request', part: 'shrunk', request });
    if (!isMismatch(request, observation.answer, recipe)) return true;
    if (smallest === undefined || request.length < smallest.request.length) smallest = observation;
    return false;
  };
  await fc.check(fc.asyncProperty(generated.hazard.requests, holds), {
    seed: generated.seed,
    numRuns: 1,
    interruptAfterTimeLimit: withinMs,
  });
  for (let again = smallest; again !== undefined;) again = await smallerStill(again.request, holds, () => smallest);
  return smallest;
}

/** Tries every request one step smaller; the first that is answered wrongly too is where to go on from. */
async function smallerStill(
  request: string,
  holds: (request: string) => Promise<boolean>,
  found: () => KeyObservation | undefined,
): Promise<KeyObservation | undefined> {
  for (const candidate of reductions(request)) if (!(await holds(candidate))) return found();
  return undefined;
}

/** Where a value stands in a request: names of members, `#` for any item of an array. */
type Path = readonly string[];

/** Members without which a host may refuse the request (replay.md §A). */
const REQUIRED: Readonly<Record<string, readonly string[]>> = {
  '': ['provider', 'model', 'messages'],
  'messages/#': ['role', 'content'],
  'messages/#/content/#': ['type'],
  'tools/#': ['name', 'parameters'],
  responseFormat: ['type'],
};
/** Values of a closed set, or that identify somebody: never changed. */
const FIXED = new Set(['provider', 'messages/#/role', 'messages/#/content/#/type', 'responseFormat/type']);
/** Strings that a host may want non-empty. */
const NAMES = new Set(['model', 'messages/#/name', 'messages/#/toolCallId', 'tools/#/name']);
/** Arrays that a host may want non-empty. */
const FILLED = new Set(['messages']);

/**
 * Requests that are one step smaller than the given one and still valid for every host: a member or an item left out, a
 * string or a number shortened; the largest steps come first. Texts are written without white space; spellings of what
 * stays are kept.
 */
export function reductions(request: string): readonly string[] {
  const parsed = parseJsonText(request);
  return parsed.ok ? [...reduced(parsed.node, [], request)].filter((text) => text.length < request.length) : [];
}

function* reduced(node: JsonNode, path: Path, source: string): Generator<string> {
  if (FIXED.has(path.join('/'))) return;
  switch (node.kind) {
    case 'object':
      return yield* reducedObject(node.members, path, source);
    case 'array':
      return yield* reducedArray(node.items, path, source);
    case 'string':
      return yield* reducedString(node.value, path);
    case 'number':
      return yield* ['0', '1', node.raw.slice(0, -1)].filter(
        (text) => text.length < node.raw.length && parseJsonText(text).ok,
      );
    case 'boolean':
    case 'null':
      return;
  }
}

function* reducedObject(members: readonly Member[], path: Path, source: string): Generator<string> {
  const required = REQUIRED[path.join('/')] ?? [];
  const written = members.map(({ key, value }) => [JSON.stringify(key), write(value, source)] as const);
  for (const [index, { key }] of members.entries()) {
    if (!required.includes(key)) yield objectText(written.toSpliced(index, 1));
  }
  for (const [index, { key, value }] of members.entries()) {
    for (const text of reduced(value, [...path, key], source)) {
      yield objectText(written.with(index, [JSON.stringify(key), text]));
    }
    if (!isFree(path)) continue;
    for (const name of reducedString(key, path)) {
      if (written.every(([other]) => other !== name))
        yield objectText(written.with(index, [name, written[index]?.[1] ?? '']));
    }
  }
}

function* reducedArray(items: readonly JsonNode[], path: Path, source: string): Generator<string> {
  const written = items.map((item) => write(item, source));
  if (items.length > 1 || !FILLED.has(path.join('/'))) {
    for (const index of items.keys()) yield `[${written.toSpliced(index, 1).join(',')}]`;
  }
  for (const [index, item] of items.entries()) {
    for (const text of reduced(item, [...path, '#'], source)) yield `[${written.with(index, text).join(',')}]`;
  }
}

function* reducedString(value: string, path: Path): Generator<string> {
  const points = Array.from(value);
  const half = points.length >> 1;
  const oneLess = points.slice(0, 40).map((_, at) => points.toSpliced(at, 1));
  const shorter = [[], points.slice(0, half), points.slice(half), ...oneLess];
  for (const kept of shorter) {
    if (kept.length < points.length && (kept.length > 0 || !NAMES.has(path.join('/'))))
      yield JSON.stringify(kept.join(''));
  }
}

/** Below parameters, a schema or a content block a member may have any name. */
function isFree(path: Path): boolean {
  const isOfSchema = path.includes('parameters') || path.includes('schema');
  return isOfSchema || path.join('/').startsWith('messages/#/content/#/');
}

function objectText(members: readonly (readonly [string, string])[]): string {
  return `{${members.map(([name, value]) => `${name}:${value}`).join(',')}}`;
}

/** A value as its source spelled it, without the white space between its tokens. */
function write(node: JsonNode, source: string): string {
  if (node.kind === 'array') return `[${node.items.map((item) => write(item, source)).join(',')}]`;
  if (node.kind !== 'object') return source.slice(node.start, node.end);
  return objectText(node.members.map(({ key, value }) => [JSON.stringify(key), write(value, source)] as const));
}
