import { member } from '../../src/contract/discovery.ts';
import type { Json, Observation } from '../../src/evidence/types.ts';
import { isRecord, readRunEvent, type RunEvent } from '../../src/host/run-event.ts';
import type { Recorded } from '../../src/runner/scenario.ts';
import { isAboutReplay } from './compare-runs.ts';
import { sourceAmong } from './every-run.ts';
import { executed, FEWEST_WORKFLOWS, leavingOut, type Replayed, WRITTEN } from './lost-in-replays.ts';
import type { RunObservation } from './run-observation.ts';

/** What an event is, whatever it says: its type, and the variable or channel that it writes. */
export interface Kind {
  readonly type: string;
  readonly written?: string;
}

/** The kinds of an event: the variable or channel that it writes, where it writes one, and its type. */
function kindsOf({ type, payload }: Pick<RunEvent, 'type' | 'payload'>): readonly [Kind, ...Kind[]] {
  const name = member(payload, WRITTEN.get(type)?.named ?? '');
  return typeof name === 'string' ? [{ type, written: name }, { type }] : [{ type }];
}

/** A kind in words. */
export function namedKind({ type, written }: Kind): string {
  return written === undefined ? type : `${type} of ${written}`;
}

/**
 * The kinds of events that replays of most of these workflows show more often than their sources do, where the workflows are
 * `fewest` or more, and no replay less often: replays as such write them.
 */
export function addedInAll(pairs: readonly Replayed[], fewest = FEWEST_WORKFLOWS): readonly Kind[] {
  const workflows = new Set(pairs.map(({ source }) => source.role));
  const added = new Map<string, { readonly kind: Kind; readonly by: Set<string> }>();
  const lacking = new Set<string>();
  for (const pair of pairs) {
    const [before, after] = [counted(executed(pair.source, pair)), counted(executed(pair.replay, pair))];
    for (const [name, { kind, count }] of after) {
      if (count <= (before.get(name)?.count ?? 0)) continue;
      const known = added.get(name) ?? { kind, by: new Set() };
      added.set(name, known);
      known.by.add(pair.source.role);
    }
    for (const [name, { count }] of before) if (count > (after.get(name)?.count ?? 0)) lacking.add(name);
  }
  const kinds = [...added]
    .filter(([name, { by }]) => !lacking.has(name) && by.size >= fewest && by.size * 2 >= workflows.size)
    .map(([, { kind }]) => kind);
  const named = new Set(kinds.flatMap(({ type, written }) => (written === undefined ? [] : [type])));
  return kinds.filter(({ type, written }) => written !== undefined || !named.has(type));
}

function counted(events: readonly RunEvent[]): ReadonlyMap<string, { readonly kind: Kind; readonly count: number }> {
  const counts = new Map<string, { readonly kind: Kind; readonly count: number }>();
  for (const event of events) {
    for (const kind of kindsOf(event)) {
      const name = namedKind(kind);
      counts.set(name, { kind, count: (counts.get(name)?.count ?? 0) + 1 });
    }
  }
  return counts;
}

/**
 * A fork without the events of these kinds that the run in which all began does not have, and without what only these
 * wrote. Undefined where it has none.
 */
export function withoutAdded(
  fork: RunObservation,
  kinds: readonly Kind[],
  among: readonly Recorded<Observation>[],
): Pick<RunObservation, 'events' | 'snapshot'> | undefined {
  const source = beginningOf(fork, among);
  if (source === undefined) return undefined;
  const names = new Set(kinds.map(namedKind));
  const [known, shown] = [new Map<string, number>(), new Set<string>()];
  for (const raw of source.events) {
    const place = placeOf(raw, names);
    if (place === undefined) continue;
    known.set(place.text, (known.get(place.text) ?? 0) + 1);
    shown.add(namedKind(place.kind));
  }
  const own: Kind[] = [];
  const events = leavingOut(fork.events, (raw) => {
    const place = placeOf(raw, names);
    if (place === undefined) return false;
    const left = known.get(place.text) ?? 0;
    known.set(place.text, left - 1);
    if (left <= 0 && !shown.has(namedKind(place.kind))) own.push(place.kind);
    return left <= 0;
  });
  return events.length === fork.events.length ? undefined : { events, snapshot: withoutWritten(fork.snapshot, own) };
}

/** What an event is where it is of one of the kinds, and where it stands; undefined for others. */
function placeOf(raw: Json, names: ReadonlySet<string>): { readonly kind: Kind; readonly text: string } | undefined {
  const event = readRunEvent(raw);
  if (event === undefined || isAboutReplay(event)) return undefined;
  const kinds = kindsOf(event);
  if (!kinds.some((kind) => names.has(namedKind(kind)))) return undefined;
  const [kind] = kinds;
  return { kind, text: JSON.stringify([namedKind(kind), event.nodeId]) };
}

/** The run of which a fork was made, or a fork of it, and so on. */
function beginningOf(fork: RunObservation, among: readonly Recorded<Observation>[]): RunObservation | undefined {
  const passed = new Set<RunObservation>();
  let at: RunObservation | undefined = fork;
  while (at !== undefined && at.fork !== null && !passed.has(at)) {
    passed.add(at);
    at = sourceAmong(at, among);
  }
  return at?.fork === null ? at : undefined;
}

function withoutWritten(snapshot: Json, kinds: readonly Kind[]): Json {
  if (!isRecord(snapshot)) return snapshot;
  const left = [...WRITTEN].flatMap(([type, { part }]) => {
    const values = snapshot[part];
    const names = new Set(kinds.flatMap((kind) => (kind.type === type ? [kind.written] : [])));
    if (!isRecord(values) || names.size === 0) return [];
    return [[part, Object.fromEntries(Object.entries(values).filter(([name]) => !names.has(name)))]];
  });
  return { ...snapshot, ...Object.fromEntries(left) } as Json;
}
