import { isRecord } from './json-value.ts';
import type { VolatilePlaces } from './volatile.ts';

/** One place where two values differ; a side that has nothing there is absent. */
export interface Difference {
  /** JSON pointer from the event's root. */
  readonly pointer: string;
  readonly source?: unknown;
  readonly replay?: unknown;
}

type Places = VolatilePlaces | true | undefined;

/**
 * Whether two JSON values are the same: equal RFC 8785 forms once the source's own run id is renamed, declared volatile
 * places left out. A text that both sides have to the letter is the same, renamed or not: recorded facts are re-emitted
 * verbatim (replay.md, Determinism 5).
 */
export function same(source: unknown, replay: unknown, rename: RunIdRename, places: Places): boolean {
  if (source === replay || places === true) return true;
  if (typeof source === 'string') return typeof replay === 'string' && rename(source) === replay;
  if (Array.isArray(source)) return Array.isArray(replay) && sameItems(source, replay, rename, places);
  return isRecord(source) && isRecord(replay) && sameMembers(source, replay, rename, places);
}

function sameItems(
  source: readonly unknown[],
  replay: readonly unknown[],
  rename: RunIdRename,
  places: VolatilePlaces | undefined,
): boolean {
  if (source.length !== replay.length) return false;
  for (let index = 0; index < source.length; index += 1) {
    if (!same(source[index], replay[index], rename, places?.get(String(index)))) return false;
  }
  return true;
}

function sameMembers(
  source: Readonly<Record<string, unknown>>,
  replay: Readonly<Record<string, unknown>>,
  rename: RunIdRename,
  places: VolatilePlaces | undefined,
): boolean {
  let surplus = 0;
  for (const _ in replay) surplus += 1;
  // A parsed value inherits nothing that is enumerated, and nothing that equals one.
  for (const name in source) {
    const value = source[name];
    if (value === replay[name] && value !== undefined) {
      surplus -= 1;
      continue;
    }
    const other = Object.hasOwn(replay, name) ? name : rename(name);
    const place = places?.get(name);
    if (Object.hasOwn(replay, other)) {
      surplus -= 1;
      if (!same(value, replay[other], rename, place)) return false;
    } else if (place !== true) return false;
  }
  if (surplus === 0) return true;
  if (places === undefined) return false;
  return surplusNames(source, replay, rename).every((name) => places.get(name) === true);
}

function surplusNames(
  source: Readonly<Record<string, unknown>>,
  replay: Readonly<Record<string, unknown>>,
  rename: RunIdRename,
): readonly string[] {
  const taken = new Set(Object.keys(source).map((name) => (Object.hasOwn(replay, name) ? name : rename(name))));
  return Object.keys(replay).filter((name) => !taken.has(name));
}

/** What a search for differences carries along. */
export interface Search {
  readonly rename: RunIdRename;
  /** Differences found so far; the search ends when there are `limit`. */
  readonly found: Difference[];
  readonly limit: number;
}

/** Where two values lie in their events. */
export interface Place {
  readonly pointer: string;
  readonly places: Places;
}

/** Adds the places where two values differ, the source's member order first, until the search's limit. */
export function findDifferences(source: unknown, replay: unknown, at: Place, search: Search): void {
  if (search.found.length >= search.limit || same(source, replay, search.rename, at.places)) return;
  if (Array.isArray(source) && Array.isArray(replay)) {
    for (let index = 0; index < Math.max(source.length, replay.length); index += 1) {
      const inner = below(at, String(index));
      if (index < source.length && index < replay.length) {
        findDifferences(source[index], replay[index], inner, search);
      } else if (index < source.length) absent({ pointer: inner.pointer, source: source[index] }, inner, search);
      else absent({ pointer: inner.pointer, replay: replay[index] }, inner, search);
    }
  } else if (isRecord(source) && isRecord(replay)) {
    const before = search.found.length;
    for (const name of Object.keys(source)) {
      const inner = below(at, name);
      const other = Object.hasOwn(replay, name) ? name : search.rename(name);
      if (Object.hasOwn(replay, other)) findDifferences(source[name], replay[other], inner, search);
      else absent({ pointer: inner.pointer, source: source[name] }, inner, search);
    }
    for (const name of surplusNames(source, replay, search.rename)) {
      const inner = below(at, name);
      absent({ pointer: inner.pointer, replay: replay[name] }, inner, search);
    }
    // Two names that the renaming brings together differ nowhere below.
    if (search.found.length === before) search.found.push({ pointer: at.pointer, source, replay });
  } else search.found.push({ pointer: at.pointer, source, replay });
}

function absent(difference: Difference, at: Place, search: Search): void {
  if (at.places !== true && search.found.length < search.limit) search.found.push(difference);
}

function below({ pointer, places }: Place, name: string): Place {
  const token = name.replaceAll('~', '~0').replaceAll('/', '~1');
  return { pointer: `${pointer}/${token}`, places: places === true ? true : places?.get(name) };
}

/** The text with every mention of a log's own run id replaced by the other log's; a longer word around it is none. */
export type RunIdRename = (text: string) => string;

/** Makes the renaming from one run id to the other, which leaves everything alone where one of them is unknown. */
export function renameRunId(from: string | undefined, to: string | undefined): RunIdRename {
  if (from === undefined || to === undefined || from === '' || from === to) return (text) => text;
  return (text) => {
    if (text === from) return to;
    let at = text.indexOf(from);
    if (at === -1) return text;
    const parts: string[] = [];
    let kept = 0;
    for (; at !== -1; at = text.indexOf(from, at + from.length)) {
      const end = at + from.length;
      if (isWordUnit(text.charCodeAt(at - 1)) || isWordUnit(text.charCodeAt(end))) continue;
      parts.push(text.slice(kept, at), to);
      kept = end;
    }
    return parts.join('') + text.slice(kept);
  };
}

/** ASCII letters and digits; what lies outside the text (NaN) is none. */
function isWordUnit(unit: number): boolean {
  return (unit >= 48 && unit <= 57) || (unit >= 65 && unit <= 90) || (unit >= 97 && unit <= 122);
}
