import { isDeepStrictEqual } from 'node:util';
import { snapshot } from '../engine/snapshot.ts';
import { isObject, member } from '../json.ts';
import { DELETED } from '../privacy/find-secrets.ts';
import { needlesFor, redact, type Needles } from '../privacy/redact.ts';
import { spellingsOf } from '../privacy/spellings.ts';
import type { RecordedJson } from '../store/records.ts';
import type { RunRecord } from '../store/runs.ts';
import { invalid, refusal, type Answer } from '../types/answers.ts';
import { type Governed, descendants, inUse } from './expire.ts';

/** Takes one value out of JSON values, wherever it stands in them. */
interface Eraser {
  /** A value without it. `isMeant` says that the value is about the place that the deletion names. */
  erase(from: unknown, isMeant: boolean): unknown;
}

/**
 * An eraser for a value: what equals it goes, and each of its texts inside other texts, encoded ones included. What is too
 * common to be told again, such as a number or a short word, goes near its place only.
 */
export function eraserOf(value: unknown): Eraser {
  const texts = [...textsIn(value)];
  const needles: Needles = needlesFor(new Map(texts.map((text) => [text, spellingsOf(text)])), DELETED);
  const common = isCommon(value);
  const walk = (each: unknown, isMeant: boolean): unknown => {
    if (each === DELETED) return each;
    if ((isMeant || !common) && isDeepStrictEqual(each, value)) return DELETED;
    if (Array.isArray(each)) return each.map((item) => walk(item, isMeant));
    if (!isObject(each)) return each;
    return Object.fromEntries(Object.entries(each).map(([name, held]) => [name, walk(held, isMeant)]));
  };
  const inTexts = { ...needles, held: new Set<string>() };
  return { erase: (from, isMeant) => redact(walk(from, isMeant), inTexts) };
}

const LONG_ENOUGH = 6;

function isCommon(value: unknown): boolean {
  return typeof value === 'object' && value !== null
    ? Object.values(value).every(isCommon)
    : typeof value !== 'string' || value.length < LONG_ENOUGH;
}

/** The texts of a value, names of members not included: those are the tool's words. */
function* textsIn(value: unknown): Generator<string> {
  if (typeof value === 'string') {
    if (value.length >= LONG_ENOUGH) yield value;
  } else if (typeof value === 'object' && value !== null) for (const each of Object.values(value)) yield* textsIn(each);
}

/** What data can be deleted from: the members of a snapshot that runs fill. */
const ERASABLE: readonly string[] = ['variables', 'channels', 'metadata'];

/**
 * Deletes a value that a run's snapshot shows, wherever it was recorded for the run, for forks of it and for runs that it
 * dispatched, for good. A mark stands in its place.
 */
export function deleteData(host: Governed, run: RunRecord, path: unknown): Answer {
  const names = typeof path === 'string' ? readPointer(path) : undefined;
  const [root = ''] = names ?? [];
  if (typeof path !== 'string' || names === undefined || names.length < 2 || !ERASABLE.includes(root)) {
    return invalid(`path must be a JSON pointer to something in ${ERASABLE.join(', ')}.`);
  }
  const { store, secrets, runs } = host;
  const concerned = descendants(store, run);
  const busy = inUse(store, run, concerned);
  if (busy !== undefined) return busy;
  const value = valueAt(snapshot(runs.view(run)), names);
  if (value === undefined) return refusal(404, 'data_not_found', 'The snapshot of this run has nothing there.');
  store.atomically(() => {
    store.deletions.record(run.runId, path);
    if (value === DELETED) return;
    for (const each of concerned) {
      if (eraseIn(host, each, { path, names, value }) > 0) store.deletions.record(each.runId, path);
    }
  });
  secrets.forget();
  store.shed();
  return { status: 200, body: { runId: run.runId, path } };
}

interface Target {
  readonly path: string;
  readonly names: readonly string[];
  readonly value: unknown;
}

/** Erases a value in all records of one run; gives in how many it stood. */
function eraseIn({ store, parts }: Governed, { runId }: RunRecord, target: Target): number {
  const eraser = eraserOf(target.value);
  const nodes = writers(store.events.read(runId), target);
  return store.records.rewrite(runId, (record) => {
    const erased = erasedFrom(record, eraser, isNear(record, nodes, target));
    if (erased === undefined) return undefined;
    const { path, value } = target;
    return parts.governance.erases({ runId, path, value, where: record.kind }) ? erased : undefined;
  });
}

/** The record without the value; undefined where it never had it. Records that answer for the world outside say that they lack something. */
function erasedFrom({ kind, json }: RecordedJson, eraser: Eraser, near: boolean): string | undefined {
  const before: unknown = JSON.parse(json);
  const after = eraser.erase(before, near);
  if (isDeepStrictEqual(before, after)) return undefined;
  const answers = kind === 'observations' || kind === 'responses';
  return JSON.stringify(answers && isObject(after) ? { ...after, deleted: true } : after);
}

/** The nodes that wrote the variable or channel that the target is in. */
function writers(
  events: readonly { readonly nodeId?: string; readonly type: string; readonly payload: unknown }[],
  { names: [root, name] }: Target,
): ReadonlySet<string> {
  const [type, called] = WRITES.get(root ?? '') ?? [];
  const writing = events.filter((event) => event.type === type && member(event.payload, called ?? '') === name);
  return new Set(writing.map(({ nodeId }) => nodeId ?? ''));
}

/** By a snapshot's member: the events that write what is in it, and what they call it. */
const WRITES: ReadonlyMap<string, readonly [type: string, called: string]> = new Map([
  ['variables', ['variable.changed', 'name']],
  ['channels', ['channel.written', 'channel']],
]);

/** Whether a record is about the place that the target is at. */
function isNear(record: RecordedJson, nodes: ReadonlySet<string>, { names: [root] }: Target): boolean {
  const { kind, nodeId, type } = record;
  if (root === 'metadata') return type === 'run.started' || kind === 'others';
  return kind === 'others' || nodes.has(nodeId) || (kind === 'invocations' && nodes.size > 0);
}

/** The member names of a JSON pointer (RFC 6901), or undefined where the text is none. */
export function readPointer(pointer: string): readonly string[] | undefined {
  if (!/^(?:\/(?:[^~/]|~[01])*)+$/.test(pointer)) return undefined;
  return pointer
    .slice(1)
    .split('/')
    .map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** What a value has at the end of a way of names and indices; undefined where there is nothing. */
export function valueAt(value: unknown, [name, ...rest]: readonly string[]): unknown {
  if (name === undefined) return value;
  if (Array.isArray(value)) return /^(?:0|[1-9]\d*)$/.test(name) ? valueAt(value[Number(name)], rest) : undefined;
  return isObject(value) ? valueAt(member(value, name), rest) : undefined;
}
