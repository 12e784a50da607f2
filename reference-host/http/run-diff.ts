import { isDeepStrictEqual } from 'node:util';
import { sameEvent, sameLabel } from '../engine/divergence.ts';
import type { JsonObject } from '../json.ts';
import { inLogOf, isAboutReplay, type RunEvent } from '../store/event.ts';
import type { RunState } from '../store/fold.ts';

interface EventDiff {
  /** The place in a's log, and in b's for an event that only b has. */
  readonly seq: number;
  readonly op: 'added' | 'removed' | 'changed';
  readonly aEvent?: RunEvent;
  readonly bEvent?: RunEvent;
}

/** An answer holds at most this many differences of events, and of each part of the state. */
const MAX_DIFFS = 200;
/** How far ahead a counterpart is looked for; keeps the work proportional to the logs. */
const LOOK_AHEAD = 256;

/** How many aligned places two logs have and at how many they agree, events about replays left out. */
export function tally(
  a: readonly RunEvent[],
  b: readonly RunEvent[],
): { readonly compared: number; readonly matched: number; readonly firstDifference: number | null } {
  let [compared, matched] = [0, 0];
  let firstDifference: number | null = null;
  for (const place of places(a.filter(isCompared), b.filter(isCompared))) {
    compared += 1;
    if (place.op === 'same') matched += 1;
    else firstDifference ??= place.seq;
  }
  return { compared, matched, firstDifference };
}

/** What differs between two logs, aligned without the events about replays; `divergedAtSeq` is null where nothing does. */
export function diffEvents(
  a: readonly RunEvent[],
  b: readonly RunEvent[],
): { readonly divergedAtSeq: number | null; readonly diffs: readonly EventDiff[]; readonly truncated: boolean } {
  const diffs: EventDiff[] = [];
  for (const diff of places(a.filter(isCompared), b.filter(isCompared))) {
    if (diff.op === 'same') continue;
    if (diffs.length === MAX_DIFFS) return { divergedAtSeq: diffs[0]?.seq ?? null, diffs, truncated: true };
    diffs.push(diff);
  }
  return { divergedAtSeq: diffs[0]?.seq ?? null, diffs, truncated: false };
}

/** The aligned places of two logs, in order. */
function* places(
  a: readonly RunEvent[],
  b: readonly RunEvent[],
): Generator<EventDiff | { readonly op: 'same'; readonly seq: number }> {
  let [i, j] = [0, 0];
  for (;;) {
    const [aEvent, bEvent] = [a[i], b[j]];
    if (aEvent === undefined && bEvent === undefined) return;
    const op =
      aEvent !== undefined && bEvent !== undefined && sameEvent(aEvent, inLogOf(aEvent.runId, bEvent))
        ? 'same'
        : step(a.slice(i, i + LOOK_AHEAD), b.slice(j, j + LOOK_AHEAD));
    if (op !== 'added') i += 1;
    if (op !== 'removed') j += 1;
    const seq = (op === 'added' ? bEvent : aEvent)?.sequence ?? 0;
    if (op === 'same') yield { op, seq };
    else
      yield {
        seq,
        op,
        ...(op === 'added' || aEvent === undefined ? {} : { aEvent }),
        ...(op === 'removed' || bEvent === undefined ? {} : { bEvent }),
      };
  }
}

/** What to do with heads that are not the same: the one whose counterpart is further away stands alone. */
function step([a, ...as]: readonly RunEvent[], [b, ...bs]: readonly RunEvent[]): EventDiff['op'] {
  if (a === undefined) return 'added';
  if (b === undefined) return 'removed';
  if (sameLabel(a, b)) return 'changed';
  const aInB = distance(bs, a);
  const bInA = distance(as, b);
  if (aInB === bInA) return 'changed';
  return aInB < bInA ? 'added' : 'removed';
}

function distance(events: readonly RunEvent[], wanted: RunEvent): number {
  const index = events.findIndex((event) => sameLabel(event, wanted));
  return index === -1 ? Infinity : index;
}

/** What differs between two states: status, error, variables and channels, each with both sides where both have it. */
export function diffStates(a: RunState, b: RunState): { readonly diff: JsonObject; readonly truncated: boolean } {
  const variables = diffMaps(a.variables, b.variables);
  const channels = diffMaps(a.channels, b.channels);
  const diff = {
    ...(a.status === b.status ? {} : { status: { a: a.status, b: b.status } }),
    ...(isDeepStrictEqual(a.error, b.error) ? {} : { error: sides(a.error, b.error) }),
    ...(variables.length === 0 ? {} : { variables: Object.fromEntries(variables.slice(0, MAX_DIFFS)) }),
    ...(channels.length === 0 ? {} : { channels: Object.fromEntries(channels.slice(0, MAX_DIFFS)) }),
  };
  return { diff, truncated: Math.max(variables.length, channels.length) > MAX_DIFFS };
}

function diffMaps(a: ReadonlyMap<string, unknown>, b: ReadonlyMap<string, unknown>): [string, JsonObject][] {
  return [...new Set([...a.keys(), ...b.keys()])]
    .filter((name) => a.has(name) !== b.has(name) || !isDeepStrictEqual(a.get(name), b.get(name)))
    .map((name) => [name, sides(a.get(name), b.get(name))]);
}

function sides(a: unknown, b: unknown): JsonObject {
  return { ...(a === undefined ? {} : { a }), ...(b === undefined ? {} : { b }) };
}

function isCompared({ type }: RunEvent): boolean {
  return !isAboutReplay(type);
}
