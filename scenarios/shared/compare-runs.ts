import { isDeepStrictEqual } from 'node:util';
import { compareEvents, KEY_OF_CALL, type LogEvent, readVolatile, type Divergence } from '../../src/event-log/index.ts';
import type { Json } from '../../src/evidence/types.ts';
import { isRecord, readRunEvent, type RunEvent } from '../../src/host/run-event.ts';
import { present } from '../../src/contract/present.ts';
import { ancestorsOf, withOwnId } from './ancestors.ts';
import type { Compared, Difference } from './compared.ts';
import { sharedCause } from './diagnoses.ts';
import { CLOCK_ROW, FOUNDATIONS, KEYS_IN_REPLAYS } from './foundations.ts';
import { notingDisorder } from './numbers-note.ts';
import type { RunObservation } from './observed-run.ts';
import { tellsOfMaking } from './telemetry.ts';
import { cut } from '../../src/evidence/cut.ts';

const SAME: Compared = { kind: 'same' };

/** Logs of so many events are read once: rows read the same ones again and again, and a long log twice would be large. */
const REMEMBERED_EVENTS = 1000;
const remembered = new WeakMap<RunObservation['events'], readonly RunEvent[]>();

/** The events of a run's log, in the order in which the host gave them. */
export function eventsOf({ events }: Pick<RunObservation, 'events'>): readonly RunEvent[] {
  const known = remembered.get(events);
  if (known !== undefined) return known;
  const read = events.map(readRunEvent).filter((event) => event !== undefined);
  if (events.length <= REMEMBERED_EVENTS) remembered.set(events, read);
  return read;
}

/** Whether a run's log says that it completed. */
export function isCompleted(run: Pick<RunObservation, 'events'>): boolean {
  return eventsOf(run).some(({ type }) => type === 'run.completed');
}

/** The first, the last and a sequence number from the middle of a log; 0 for an empty one. */
export function bounds(run: Pick<RunObservation, 'events'>): Readonly<Record<'first' | 'middle' | 'last', number>> {
  const events = eventsOf(run);
  const numberAt = (index: number): number => events.at(index)?.sequence ?? 0;
  return { first: numberAt(0), middle: numberAt(Math.floor(events.length / 2)), last: numberAt(-1) };
}

/** Whether an event speaks about a replay: alignment leaves it out (readings, Fork and prefix). */
export function isAboutReplay({ type }: Pick<RunEvent, 'type'>): boolean {
  return type.startsWith('replay.');
}

/** Fields that a vendor documents as volatile, as JSON pointers from an event's root (`--volatile`). */
type Volatile = readonly string[];

/**
 * Compares whole logs under the declared normalisation, replay.* events left out (0041 §C.1). What a run writes itself it
 * numbers itself: gaps are no difference (readings). What a host adds of its own to the envelopes of events that the replay wrote
 * itself is none either (wire-contract, Documents: unknown members are tolerated).
 */
export function compareLogs(source: RunObservation, replay: RunObservation, volatile: Volatile = []): Compared {
  return compareWhole({ source, replay, volatile, callKeys: 'own' });
}

/**
 * What the first of these replays shows otherwise than its source, where each shows something: undefined where one is like its own, and
 * where there are none.
 */
export function allOtherwise(
  pairs: readonly { readonly source: RunObservation; readonly replay: RunObservation }[],
  volatile: Volatile,
): string | undefined {
  let first: string | undefined;
  for (const { source, replay } of pairs) {
    const compared = compareLogs(source, replay, volatile);
    if (compared.kind !== 'different') return undefined;
    first ??= compared.mismatch.actual;
  }
  return first;
}

/** The types of all events in which two logs differ; none where they cannot be compared, or differ in more events than are looked at. */
export function typesOtherwise(source: RunObservation, replay: RunObservation, volatile: Volatile): readonly string[] {
  const places = readVolatile(volatile);
  const result = compareEvents(source.events, replay.events, {
    sourceRunId: source.runId ?? undefined,
    replayRunId: replay.runId ?? undefined,
    executedFrom: replay.fork?.fromSeq ?? 0,
    ...(places.ok ? { volatile: places.places } : {}),
  });
  if (!result.ok || result.diff.eventDiffsTruncated) return [];
  const events = result.diff.eventDiffs.flatMap(({ aEvent, bEvent }) => [aEvent, bEvent]);
  return [...new Set(events.flatMap((event) => (event === undefined ? [] : [String(event['type'])])))];
}

/** The same for what a replay may report as a difference, or pass over: what is declared volatile, and a run's own keys of tool calls. */
export function compareVerbatim(source: RunObservation, replay: RunObservation): Compared {
  return compareWhole({ source, replay, volatile: [], callKeys: 'exact' });
}

function compareWhole(pair: Pick<Parts, 'source' | 'replay' | 'volatile' | 'callKeys'>): Compared {
  const { source, replay } = pair;
  const events = { sourceEvents: source.events, replayEvents: replay.events };
  const executedFrom = replay.fork?.fromSeq ?? 0;
  const parts = { ...pair, ...events, numbers: 'gaps', ownerOf: identityOwner, executedFrom } as const;
  return noted(compareParts(parts), source, replay);
}

/**
 * The row about histories owns differences in `eventId`, `causationId` and members that do not say what happened, and that about the keys of
 * calls in replays what is no more than such a key; undefined for others.
 */
function identityOwner(divergence: Divergence): string | undefined {
  if (placesIn(divergence).every(isCallKey)) return KEYS_IN_REPLAYS;
  return placesIn(divergence).every((place) => IDENTITY.has(place) || isBeside(place))
    ? FOUNDATIONS.histories
    : undefined;
}

function isCallKey(place: string): boolean {
  const [, part, name = '', ...deeper] = place.split('/');
  return part === 'payload' && deeper.length === 0 && KEY_OF_CALL.test(name);
}

const IDENTITY: ReadonlySet<string> = new Set(['/eventId', '/causationId']);

function placesIn({ pointer, alsoAt }: Divergence): readonly string[] {
  return [pointer, ...alsoAt];
}

/** What an event says of what happened: its name, its place, its time, its cause and its content (wire-contract, Documents). */
export const TOLD: ReadonlySet<string> = new Set([
  'eventId',
  'runId',
  'type',
  'sequence',
  'seq',
  'timestamp',
  'nodeId',
  'causationId',
  'payload',
  'data',
]);

/** Whether a place is in a member of an event's envelope that stands beside these, such as a host's own. */
function isBeside(place: string): boolean {
  const [, name] = place.split('/');
  return name !== undefined && !TOLD.has(name);
}

/** The logs are looked at once more only where they differ: long ones are read anew for it. */
function noted(compared: Compared, ...runs: readonly RunObservation[]): Compared {
  if (compared.kind !== 'different') return compared;
  const sides = runs.map((run) => ({ name: named(run), events: eventsOf(run) }));
  return notingDisorder(compared, sides);
}

/**
 * Compares the fixed history of a fork with its source's, `fromSeq` exclusive (readings: half-open). The fork's part is
 * as many events as the source has below `fromSeq`, replay.* events counted on neither side; numbers are compared where
 * none stands among them.
 */
export function comparePrefixes(
  source: RunObservation,
  fork: RunObservation,
  fromSeq: number,
  volatile: Volatile = [],
): Compared {
  const { below, inherited } = prefixesOf(source, fork, fromSeq);
  const numbers: Parts['numbers'] = [...below, ...inherited].some(isAboutReplay) ? 'gaps' : 'exact';
  const first = numbers === 'gaps' ? undefined : firstNumbers({ source, fork, a: below[0], b: inherited[0] });
  const [sourceEvents, replayEvents] = [rawOf(below), rawOf(inherited)];
  const parts = {
    source,
    replay: fork,
    sourceEvents,
    replayEvents,
    volatile,
    numbers,
    callKeys: 'exact',
    ownerOf: prefixOwner,
    seenAs: (divergence: Divergence) => standingApart(divergence, source, fork),
  } as const;
  const compared = first ?? compareParts(parts);
  return noted(compared.kind === 'same' ? (repeatedLast({ source, fork, fromSeq }) ?? SAME) : compared, source, fork);
}

/**
 * Histories are as many events of the fork as of its source: where another event stands in the place of one, and it is the next one of the
 * other log, the first is lost, or added.
 */
function standingApart(first: Divergence, source: RunObservation, fork: RunObservation): Divergence {
  const { source: ours, replay: theirs } = first.event;
  const isOfType = first.class === 'type';
  if (!(isOfType || first.pointer.startsWith('/payload')) || ours === undefined || theirs === undefined) return first;
  const isNext = (run: RunObservation, { sequence }: LogEvent, wanted: LogEvent): boolean => {
    const events = eventsOf(run).filter((event) => !isAboutReplay(event));
    const next = events[events.findIndex((event) => event.sequence === sequence) + 1];
    if (next === undefined || next.type !== wanted.type || next.nodeId !== wanted.nodeId) return false;
    return isOfType || isDeepStrictEqual(next.payload, wanted.payload);
  };
  const [isLost, isAdded] = [isNext(source, ours, theirs), isNext(fork, theirs, ours)];
  if (isLost === isAdded) return isLost ? { ...first, class: 'order' } : first;
  const { source: _had, replay: _has, event: _event, ...rest } = first;
  const alone = { ...rest, pointer: '', alsoAt: [] };
  return isLost
    ? { ...alone, class: 'missing', source: ours.raw, event: { source: ours } }
    : { ...alone, class: 'extra', replay: theirs.raw, event: { replay: theirs } };
}

/** Events that give something a value: written again, they are a second time that the value was given. */
const WRITES: ReadonlySet<string> = new Set(['variable.changed', 'channel.written', 'memory.written']);

/**
 * The last event of a replay's history, where the replay has it once more in the place of what its source has next: a range that was
 * read to its end instead of short of it. What a replay does at `fromSeq` is its own (readings: the event at fromSeq is advisory): it may
 * start the node anew in whose midst that is, or say again that the run ends. One that says that it diverged says so itself.
 */
function repeatedLast({ source, fork, fromSeq }: Fork): Compared | undefined {
  const own = eventsOf(fork).filter((event) => !isAboutReplay(event));
  const ours = eventsOf(source).filter((event) => !isAboutReplay(event));
  const count = ours.filter(({ sequence }) => sequence < fromSeq).length;
  const [last, next] = [own[count - 1], own[count]];
  const [recorded, wanted] = [ours[count - 1], ours[count]];
  if (fork.fork?.mode !== 'replay' || last === undefined || next === undefined) return undefined;
  if (!WRITES.has(last.type) || eventsOf(fork).some(({ type }) => type.startsWith('replay.diverged'))) return undefined;
  // What the source has twice may stand twice; its payloads may name its run.
  if (!isRepeated(last, next) || (recorded && wanted && isRepeated(recorded, wanted))) return undefined;
  return {
    kind: 'different',
    mismatch: {
      diagnosis: sharedCause('history-differs'),
      expected: `${count} events of ${named(source)} in the history of ${named(fork)} from ${fromSeq}`,
      actual: `the last one twice: ${last.type} at sequence ${last.sequence} and ${next.sequence}`,
    },
  };
}

interface Fork {
  readonly source: RunObservation;
  readonly fork: RunObservation;
  readonly fromSeq: number;
}

function isRepeated(event: RunEvent, other: RunEvent): boolean {
  return event.type === other.type && event.nodeId === other.nodeId && isDeepStrictEqual(event.payload, other.payload);
}

/**
 * A recorded fact in the history that was made anew, or is not there, is for the row about facts to say (replay.md, Determinism 5); a time
 * that was read anew, for the one about the clock; the key of a call that is another one, for that about keys in replays; what stands beside what happened, for the one about histories.
 */
function prefixOwner(divergence: Divergence): string | undefined {
  const { source, replay } = divergence.event;
  const isLostFact = source?.type === 'memory.written' && replay?.type !== source.type;
  if (isLostFact || divergence.class === 'regenerated-fact') return FOUNDATIONS.facts;
  if (divergence.class === 'clock-leak') return CLOCK_ROW;
  if (placesIn(divergence).every(isCallKey)) return KEYS_IN_REPLAYS;
  return placesIn(divergence).every(isBeside) ? FOUNDATIONS.histories : undefined;
}

/** The source's events below `fromSeq`, and the part of the fork's log that stands for them. */
export function prefixesOf(
  source: RunObservation,
  fork: RunObservation,
  fromSeq: number,
): { readonly below: readonly RunEvent[]; readonly inherited: readonly RunEvent[] } {
  const below = eventsOf(source).filter((event) => event.sequence < fromSeq);
  return { below, inherited: upTo(eventsOf(fork), below.filter((event) => !isAboutReplay(event)).length) };
}

/** The first events, as many as it takes for `count` of them not to be about replays. */
function upTo(events: readonly RunEvent[], count: number): readonly RunEvent[] {
  let next = 0;
  return events.filter((event) => {
    if (next === count) return false;
    if (!isAboutReplay(event)) next += 1;
    return true;
  });
}

/** Events as the host sent them. */
export function rawOf(events: readonly RunEvent[]): readonly Json[] {
  return events.map((event) => event.raw as Json);
}

interface Parts {
  readonly source: RunObservation;
  readonly replay: RunObservation;
  readonly sourceEvents: readonly Json[];
  readonly replayEvents: readonly Json[];
  readonly volatile: Volatile;
  readonly numbers: 'exact' | 'gaps';
  readonly callKeys: 'exact' | 'own';
  readonly executedFrom?: number;
  /** The check that owns a divergence, where it is another one than the check that compares. */
  readonly ownerOf?: (first: Divergence) => string | undefined;
  /** What a divergence is, where more than the events that are compared shows it. */
  readonly seenAs?: (first: Divergence) => Divergence;
}

/** What differs in the name of a run that both come from alone is the same. */
function compareParts(parts: Parts): Compared {
  const { source, replay, sourceEvents, replayEvents } = parts;
  const compared = compareAsNamed(parts);
  const ancestors = compared.kind === 'different' ? ancestorsOf(source, replay) : [];
  if (ancestors.length === 0) return compared;
  const inOwn = (events: readonly Json[], run: RunObservation): readonly Json[] =>
    events.map((event) => withOwnPayload(event, (payload) => withOwnId(payload, run, ancestors) as Json));
  return compareAsNamed({
    ...parts,
    sourceEvents: inOwn(sourceEvents, source),
    replayEvents: inOwn(replayEvents, replay),
  });
}

function withOwnPayload(event: Json, change: (payload: Json) => Json): Json {
  if (!isRecord(event)) return event;
  const body = Object.hasOwn(event, 'payload') ? 'payload' : 'data';
  const payload = event[body];
  return payload === undefined ? event : partOf(WHOLE.get(event) ?? event, { ...event, [body]: change(payload) });
}

function compareAsNamed({
  source,
  replay,
  sourceEvents,
  replayEvents,
  volatile,
  ownerOf,
  seenAs,
  ...rules
}: Parts): Compared {
  const places = readVolatile(volatile);
  const result = compareEvents(sourceEvents, replayEvents, {
    ...rules,
    sourceRunId: source.runId ?? undefined,
    replayRunId: replay.runId ?? undefined,
    ...(places.ok ? { volatile: places.places } : {}),
  });
  if (!result.ok) {
    const run = result.side === 'source' ? source : replay;
    return { kind: 'unreadable', reason: `the log of ${named(run)}, ${result.at}: ${result.message}` };
  }
  if (result.diff.first === undefined) return SAME;
  const first = seenAs?.(result.diff.first) ?? result.diff.first;
  const restsOn = ownerOf?.(first);
  return { kind: 'different', mismatch: { ...mismatchOf(first, source, replay), ...(restsOn && { restsOn }) } };
}

interface Firsts {
  readonly source: RunObservation;
  readonly fork: RunObservation;
  readonly a: RunEvent | undefined;
  readonly b: RunEvent | undefined;
}

/** A prefix has the source's numbers, whatever the first one is (readings). */
function firstNumbers({ source, fork, a, b }: Firsts): Compared | undefined {
  if (a === undefined || b === undefined || a.sequence === b.sequence) return undefined;
  return {
    kind: 'different',
    mismatch: {
      diagnosis: sharedCause('history-differs'),
      expected: `the first event at sequence ${a.sequence} as in ${named(source)}`,
      actual: `sequence ${b.sequence} in ${named(fork)}`,
    },
  };
}

/** The events of hosts, by what is compared of them. */
const WHOLE = new WeakMap<object, Json>();

/** What is compared of an event: a report shows the event itself. */
export function partOf<Part extends object>(event: Json, part: Part): Part {
  WHOLE.set(part, event);
  return part;
}

function whole(value: unknown): string {
  return shown(WHOLE.get(Object(value)) ?? value);
}

function mismatchOf(first: Divergence, source: RunObservation, replay: RunObservation): Difference {
  const at = first.pointer === '' ? '' : ` ${first.pointer}`;
  return {
    expected: `${placeOf(first.event.source, source)}${at}: ${'source' in first ? whole(first.source) : 'nothing'}`,
    actual: `${placeOf(first.event.replay, replay)}${at}: ${'replay' in first ? whole(first.replay) : 'nothing'}`,
    ...present({ reason: besideOf(first) }),
    diagnosis: sharedCause(first.class),
  };
}

/** Where else two events differ, and what to declare where they differ in how they were made alone (readings, Fork and prefix). */
function besideOf(first: Divergence): string | undefined {
  const places = placesIn(first);
  const also = first.alsoAt.length === 0 ? [] : [`the two events also differ at ${first.alsoAt.join(', ')}`];
  const isOfMaking = places.every((place) => place.startsWith('/payload/') && tellsOfMaking(place));
  const flags = places.map((place) => `--volatile ${place}`).join(' ');
  const how = isOfMaking ? [`where the host documents that this differs in each run, declare it: ${flags}`] : [];
  const parts = [...also, ...how];
  return parts.length === 0 ? undefined : parts.join('; ');
}

function placeOf(event: Divergence['event']['source'], run: RunObservation): string {
  if (event === undefined) return `no event there in ${named(run)}`;
  const node = event.nodeId === undefined ? '' : ` of node ${event.nodeId}`;
  return `sequence ${event.sequence}, ${event.type}${node}, in ${named(run)}`;
}

/** A run in words: what it is, and its id. */
export function named({ role, runId }: Pick<RunObservation, 'role' | 'runId'>): string {
  return `the ${role} ${runId ?? '(no run)'}`;
}

const SHOWN_CHARACTERS = 300;

/** A value in JSON, cut. */
export function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length <= SHOWN_CHARACTERS ? text : `${cut(text, SHOWN_CHARACTERS)}…`;
}
