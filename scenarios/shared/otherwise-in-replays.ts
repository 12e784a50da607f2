import { member } from '../../src/contract/discovery.ts';
import { compareEvents, type Divergence } from '../../src/event-log/index.ts';
import type { Json, Observation } from '../../src/evidence/types.ts';
import { isRecord, readRunEvent } from '../../src/host/run-event.ts';
import type { Recorded } from '../../src/runner/scenario.ts';
import { eventsOf, isAboutReplay, prefixesOf, rawOf } from './compare-runs.ts';
import { sourceAmong } from './every-run.ts';
import { executed, type Replayed, WRITTEN } from './lost-in-replays.ts';
import type { RunObservation } from './run-observation.ts';

type ReadLog = Pick<RunObservation, 'events' | 'snapshot'>;

/** What replays show otherwise in the events of a type: the node, or members of the payload. */
export interface Otherwise {
  readonly type: string;
  readonly members: readonly string[];
}

type Members = Readonly<Record<string, unknown>>;

const NODE = 'nodeId';
/** So many types of events are looked at. */
const MOST_TYPES = 12;

/**
 * What a replay shows otherwise than its source where both have the same events: by type, the members that differ. Facts that are made
 * anew have rows of their own. Nothing where the logs differ in more than that.
 */
export function otherwiseIn({ source, replay }: Replayed): readonly Otherwise[] {
  const ours = eventsOf(source).filter((event) => !isAboutReplay(event));
  const theirs = eventsOf(replay).filter((event) => !isAboutReplay(event));
  return otherwiseBetween({ source, ours: rawOf(ours) }, { replay, theirs: rawOf(theirs) });
}

/** The same for the history of a fork; times that are read anew have a row of their own, too. */
export function otherwiseInHistory({ source, replay }: Replayed): readonly Otherwise[] {
  const { below, inherited } = prefixesOf(source, replay, replay.fork?.fromSeq ?? 0);
  return otherwiseBetween({ source, ours: rawOf(below) }, { replay, theirs: rawOf(inherited) }, NOT_TIMES);
}

/** What these replays lack: members of payloads that their sources have, and no event of the type in what they executed. */
export function lackingIn(pairs: readonly Replayed[]): readonly Otherwise[] {
  return pairs.flatMap((pair) => {
    const events = executed(pair.replay, pair);
    return otherwiseIn(pair).filter(({ type, members }) =>
      events.every(
        (event) =>
          event.type !== type || members.every((name) => name !== NODE && member(event.payload, name) === undefined),
      ),
    );
  });
}

const NOT_FACTS: ReadonlySet<string> = new Set(['regenerated-fact']);
const NOT_TIMES: ReadonlySet<string> = new Set([...NOT_FACTS, 'clock-leak']);

function otherwiseBetween(
  { source, ours }: { readonly source: RunObservation; readonly ours: readonly Json[] },
  { replay, theirs }: { readonly replay: RunObservation; readonly theirs: readonly Json[] },
  elsewhere = NOT_FACTS,
): readonly Otherwise[] {
  const ids = { sourceRunId: source.runId ?? undefined, replayRunId: replay.runId ?? undefined };
  const found: Otherwise[] = [];
  let left = theirs;
  while (found.length <= MOST_TYPES) {
    const compared = compareEvents(ours, left, { numbers: 'gaps', ...ids });
    if (!compared.ok) return [];
    const { first } = compared.diff;
    if (first === undefined) return found;
    const otherwise = elsewhere.has(first.class) ? undefined : otherwiseAt(first);
    if (otherwise === undefined) return [];
    found.push(otherwise);
    left = restored(left, ours, [otherwise]);
  }
  return [];
}

function otherwiseAt({ pointer, alsoAt, event }: Divergence): Otherwise | undefined {
  const type = event.source?.type;
  const members = [pointer, ...alsoAt].map((place) => {
    const [, part, name] = place.split('/');
    return part === 'payload' ? name : part === NODE ? NODE : undefined;
  });
  const known = members.filter((name) => name !== undefined);
  if (type === undefined || known.length < members.length) return undefined;
  return { type, members: [...new Set(known)] };
}

/**
 * A replay with these members as the run has them of which it is a replay, or a replay of a replay, and with its snapshot's values
 * where it writes such. Undefined where that run was not recorded, or nothing is shown otherwise. `mended` is what is
 * right of that run, which may be a fork itself.
 */
export function asInSource(
  run: RunObservation & ReadLog,
  otherwise: readonly Otherwise[],
  among: readonly Recorded<Observation>[],
  mended: (source: RunObservation) => RunObservation = (source) => source,
): ReadLog | undefined {
  const recorded = otherwise.length === 0 ? undefined : replayedFrom(run, among);
  if (recorded === undefined) return undefined;
  const source = mended(recorded);
  const parts = otherwise.flatMap(({ type }) => WRITTEN.get(type)?.part ?? []);
  const [own, theirs] = [run.snapshot, source.snapshot];
  const countOf = ({ events }: ReadLog): number =>
    events.filter((raw) => otherwise.some(({ type }) => type === typeOf(raw))).length;
  // One that goes on behind the end of a cancelled run has values of its own beside.
  const valuesOf = (ours: unknown, values: unknown): unknown =>
    countOf(run) > countOf(source) ? { ...Object(ours), ...Object(values) } : values;
  const snapshot =
    isRecord(own) && isRecord(theirs)
      ? ({ ...own, ...Object.fromEntries(parts.map((part) => [part, valuesOf(own[part], theirs[part])])) } as Json)
      : own;
  return { events: restored(run.events, source.events, otherwise), snapshot };
}

/** The run of which a replay, or the replay that it was made of, is a replay. */
function replayedFrom(run: RunObservation, among: readonly Recorded<Observation>[]): RunObservation | undefined {
  const passed = new Set<RunObservation>();
  let at = run;
  while (at.fork?.mode === 'replay' && !passed.has(at)) {
    passed.add(at);
    const source = sourceAmong(at, among);
    if (source === undefined) break;
    at = source;
  }
  return at === run ? undefined : at;
}

/**
 * Events with these members as those have them that stand at the same place among their type. Nodes of other names are so in all of
 * them, in what speaks about the replay, too.
 */
function restored(events: readonly Json[], source: readonly Json[], otherwise: readonly Otherwise[]): readonly Json[] {
  const isRenamed = otherwise.some(({ members }) => members.includes(NODE));
  const everywhere: ReadonlySet<string> = new Set(isRenamed ? [NODE] : []);
  const membersOf = new Map<string, ReadonlySet<string>>();
  for (const { type, members } of otherwise) {
    membersOf.set(type, new Set([...(membersOf.get(type) ?? everywhere), ...members]));
  }
  const counterparts = new Map<string, Json[]>();
  for (const raw of source) {
    const known = counterparts.get(typeOf(raw));
    if (known === undefined) counterparts.set(typeOf(raw), [raw]);
    else known.push(raw);
  }
  const places = new Map<string, number>();
  const names = new Map<Json, Json>();
  return events.map((raw) => {
    const type = typeOf(raw);
    const place = places.get(type) ?? 0;
    places.set(type, place + 1);
    const counterpart = counterparts.get(type)?.[place];
    const members = membersOf.get(type) ?? everywhere;
    if (members.size === 0 || !isRecord(raw)) return raw;
    const node = raw[NODE] as Json;
    if (!isRecord(counterpart)) return names.has(node) ? { ...raw, [NODE]: names.get(node) ?? null } : raw;
    names.set(node, counterpart[NODE] as Json);
    return withMembers(raw, counterpart, members);
  });
}

function typeOf(raw: Json): string {
  return readRunEvent(raw)?.type ?? '';
}

function withMembers(raw: Members, counterpart: Members, members: ReadonlySet<string>): Json {
  const parts = ['payload', 'data'].flatMap((part): (readonly [string, Json])[] => {
    const [own, theirs] = [raw[part], counterpart[part]];
    return isRecord(own) && isRecord(theirs) ? [[part, taken(own, theirs, members)]] : [];
  });
  const node = members.has(NODE) ? { [NODE]: counterpart[NODE] } : {};
  return { ...raw, ...node, ...Object.fromEntries(parts) } as Json;
}

/** A payload with these members of another: one that the other does not have is left out. */
function taken(own: Members, theirs: Members, members: ReadonlySet<string>): Json {
  const kept = Object.entries(own).filter(([name]) => !members.has(name));
  const others = Object.entries(theirs).filter(([name]) => members.has(name));
  return Object.fromEntries([...kept, ...others]) as Json;
}
