import { member } from '../../src/contract/discovery.ts';
import { compareEvents } from '../../src/event-log/index.ts';
import type { Json } from '../../src/evidence/types.ts';
import type { RunEvent } from '../../src/host/run-event.ts';
import { endOf, endsRun } from '../../src/protocol/run-status.ts';
import { comparePrefixes, eventsOf, isAboutReplay, prefixesOf, rawOf } from '../shared/compare-runs.ts';
import { FOUNDATIONS } from '../shared/foundations.ts';
import { isDisordered } from '../shared/numbers-note.ts';
import { asksStill } from '../shared/open-question.ts';
import { counterpartsOf, namesIn, renamed } from '../shared/renamed.ts';
import type { RunObservation } from '../shared/run-observation.ts';
import { foundationBrokenBy } from '../shared/unobserved.ts';

/**
 * A fork's events with its source's history in the place of its own, under the names that the fork gave them; undefined where the two
 * are alike, and where what differs is a recorded fact, which has a row of its own (replay.recorded-facts-verbatim). What the fork
 * executed stays, and so does its snapshot: they show what else is wrong.
 */
export function withHistoryOf(source: RunObservation, fork: RunObservation): readonly Json[] | undefined {
  const known = restored.get(fork)?.get(source);
  if (known !== undefined) return known.events;
  const events = restoredFrom(source, fork);
  const bySource = restored.get(fork) ?? new WeakMap<RunObservation, Restored>();
  restored.set(fork, bySource);
  bySource.set(source, { events });
  return events;
}

interface Restored {
  readonly events: readonly Json[] | undefined;
}

/** Several claims are set aside for the sake of several rows. */
const restored = new WeakMap<RunObservation, WeakMap<RunObservation, Restored>>();

function restoredFrom(source: RunObservation, fork: RunObservation): readonly Json[] | undefined {
  const fromSeq = fork.fork?.fromSeq ?? 0;
  const { below, inherited } = prefixesOf(source, fork, fromSeq);
  const events = eventsOf(fork);
  if (below.length === 0 || events.length === 0) return undefined;
  if (comparePrefixes(source, fork, fromSeq).kind !== 'different') return undefined;
  const compared = compareEvents(rawOf(below), rawOf(inherited), { numbers: 'gaps' });
  if (compared.ok && compared.diff.first?.class === 'regenerated-fact') return undefined;
  const above = eventsOf(source).filter((event) => event.sequence >= fromSeq);
  const length = lengthOfHistory(below, above, events);
  const placed = inPlaceOf(below, events.slice(0, length));
  const names = namesIn([source, below], [fork, placed]);
  const executed = events.slice(length);
  const shift = isDisordered({ events }) ? 0 : roomFor(below, executed);
  const history = rawOf(below).map((event) => renamed(event, names));
  const added = events.slice(0, length).filter((event) => !placed.includes(event));
  return [
    ...history,
    ...causedBy(
      history.at(-1),
      added,
      rawOf(executed).map((event) => numberedFurther(event, shift)),
    ),
  ];
}

/** Events of which those that events too many in the history caused are caused by its last one. */
function causedBy(last: Json | undefined, added: readonly RunEvent[], executed: readonly Json[]): readonly Json[] {
  const ids = new Set<unknown>(added.map(({ eventId }) => eventId));
  const { eventId = null } = Object(last ?? {}) as Readonly<Record<string, Json>>;
  return executed.map((event): Json =>
    ids.has(member(event, 'causationId')) ? { ...Object(event), causationId: eventId } : event,
  );
}

/** For each event, the other that stands for it: the one at its place, or the next of its type and node where some are missing or too many. */
function inPlaceOf(events: readonly RunEvent[], others: readonly RunEvent[]): readonly (RunEvent | undefined)[] {
  if (events.length === others.length) return others;
  const counterparts = counterpartsOf(events, others);
  return events.map((event) => counterparts.get(event));
}

/** By how much the numbers of what follows have to go up where a history of so many numbers does not fit before it. */
function roomFor(below: readonly RunEvent[], executed: readonly RunEvent[]): number {
  const [last, next] = [below.at(-1), executed.at(0)];
  return last === undefined || next === undefined ? 0 : Math.max(0, last.sequence + 1 - next.sequence);
}

function numberedFurther(event: Json, shift: number): Json {
  const { sequence } = Object(event) as { readonly sequence?: unknown };
  return shift === 0 || typeof sequence !== 'number' ? event : { ...Object(event), sequence: sequence + shift };
}

/**
 * How many of a fork's events stand for what its source shows below the fork point, where some may be missing or too many: all but as
 * many as the source shows from there on where these are the same; else those that are most like what is below.
 */
function lengthOfHistory(below: readonly RunEvent[], above: readonly RunEvent[], fork: readonly RunEvent[]): number {
  const places = fork.flatMap((event, at) => (isAboutReplay(event) ? [] : [at]));
  const inherited = below.filter((event) => !isAboutReplay(event));
  const executed = above.filter((event) => !isAboutReplay(event));
  const start = places.length - executed.length;
  const [first] = executed;
  // One more of the kind of the first executed event may be an event too many there, instead of one of the history.
  const isTwice = first !== undefined && isAlike(first, fork[places[start - 1] ?? -1]);
  const isSame =
    start >= 0 && !isTwice && executed.every((event, index) => isAlike(event, fork[places[start + index] ?? -1]));
  const length = isSame ? start : mostAlike(inherited, fork, places);
  return length === 0 ? 0 : (places[length - 1] ?? -1) + 1;
}

function isAlike(event: RunEvent, other: RunEvent | undefined): boolean {
  return event.type === other?.type && event.nodeId === other.nodeId;
}

/** After how many events most types are those below, and fewest are not; as near as it can be to as many as are there. */
function mostAlike(below: readonly RunEvent[], fork: readonly RunEvent[], places: readonly number[]): number {
  const left = new Map<string, number>();
  for (const { type } of below) left.set(type, (left.get(type) ?? 0) + 1);
  let best = { length: 0, likeness: 0 };
  let likeness = 0;
  for (const [index, at] of places.entries()) {
    const type = fork[at]?.type ?? '';
    const rest = left.get(type) ?? 0;
    left.set(type, rest - 1);
    likeness += rest > 0 ? 1 : -1;
    const length = index + 1;
    const isNearer = Math.abs(length - below.length) < Math.abs(best.length - below.length);
    if (likeness > best.likeness || (likeness === best.likeness && isNearer)) best = { length, likeness };
  }
  return best.length;
}

/**
 * A replay whose log has no end, completed from its source: with the rest of the source's events, or with the source's end alone. What
 * is wrong with both completions is wrong with the events that the replay shows. Undefined where the replay's log has an end, where the
 * replay waits for an answer, or where one of the two runs did not complete. An extra event in the place of the end counts as the end.
 */
export function completedLog(
  source: RunObservation,
  replay: RunObservation,
  how: 'as its source' | 'at once',
): Pick<RunObservation, 'problem' | 'events'> | undefined {
  if (replay.fork?.mode !== 'replay' || foundationBrokenBy(replay) !== FOUNDATIONS.ends) return undefined;
  const before = eventsOf(source).filter((event) => !isAboutReplay(event));
  const after = eventsOf(replay);
  // An end that is a failure says of which kind: nobody knows that of one that was not seen.
  const isWhole = source.problem === null && endOf(before) === 'completed';
  if (!isWhole || member(replay.snapshot, 'status') !== 'completed' || asksStill(after)) return undefined;
  const own = after.filter((event) => !isAboutReplay(event));
  const kept = own.length < before.length ? after : after.slice(0, -1);
  const rest = how === 'at once' ? [] : before.slice(own.length);
  const missing = rest.length > 0 ? rest : before.filter(endsRun);
  const names = namesIn([source, before], [replay, own]);
  const added = missing.map(({ raw }, index): Json => ({
    ...Object(renamed(raw as Json, names)),
    sequence: (kept.at(-1)?.sequence ?? -1) + 1 + index,
    timestamp: member(after.at(-1)?.raw, 'timestamp') ?? null,
  }));
  return { problem: null, events: [...kept.map(({ raw }) => raw as Json), ...added] };
}
