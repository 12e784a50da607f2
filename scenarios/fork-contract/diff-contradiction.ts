import { isDeepStrictEqual } from 'node:util';
import { member } from '../../src/contract/discovery.ts';
import { readRunEvent } from '../../src/host/run-event.ts';
import { eventsOf, isAboutReplay, named, shown } from '../shared/compare-runs.ts';
import type { RecordedRun } from '../shared/need.ts';

/** What one part of an answer leads to expect, and what another part says. */
interface Contradiction {
  readonly expected: string;
  readonly actual: string;
}

/**
 * Where an answer that says how two runs differ contradicts itself: its first divergence its list, or an entry of the list the
 * events that it shows. What an answer leaves out contradicts nothing.
 */
export function contradictionIn(body: unknown, a: RecordedRun, b: RecordedRun): Contradiction | undefined {
  const listed = listedIn(body);
  const runs = { aEvent: a, bEvent: b };
  return (
    otherFirst(body, listed, [a, b]) ??
    otherEvents(listed) ??
    otherSide(listed, runs) ??
    changedPastEnd(listed, runs) ??
    otherNumber(listed, runs) ??
    missing(body, listed, runs)
  );
}

const SIDES = ['aEvent', 'bEvent'] as const;

/** One entry of the list; an event that is null is as good as absent. */
interface Listed {
  readonly at: string;
  readonly seq: number;
  readonly op: unknown;
  readonly aEvent: unknown;
  readonly bEvent: unknown;
}

function listedIn(body: unknown): readonly Listed[] {
  const diffs = member(body, 'eventDiffs');
  if (!Array.isArray(diffs)) return [];
  return diffs.map((each, index) => {
    const [aEvent, bEvent] = SIDES.map((side) => member(each, side) ?? null);
    return { at: `eventDiffs/${index}`, seq: Number(member(each, 'seq')), op: member(each, 'op'), aEvent, bEvent };
  });
}

/** The first divergence is the first thing listed, in whichever log it is counted, and there is none where nothing is listed. */
function otherFirst(body: unknown, listed: readonly Listed[], runs: readonly RecordedRun[]): Contradiction | undefined {
  const said = member(body, 'divergedAtSeq') ?? null;
  const actual = `divergedAtSeq ${shown(said)}`;
  if (said === null) {
    const [first] = listed.filter((each) => !isOfReplay(each, runs));
    return first && { expected: `divergedAtSeq ${first.seq}, as ${first.at} says ${shown(first.op)}`, actual };
  }
  // Which part of a list is left out, nobody says.
  if (member(body, 'truncated') === true) return undefined;
  const ordered = listed.toSorted((one, other) => one.seq - other.seq);
  const first = ordered.find((each) => !isOfReplay(each, runs)) ?? ordered[0];
  if (first === undefined) {
    return { expected: 'an entry of eventDiffs where the two logs part', actual: `${actual} and no entry` };
  }
  const firsts = [first, ...ordered.slice(0, 1)];
  if (typeof said !== 'number' || firsts.some((each) => namesOf(each, runs).has(said))) return undefined;
  return { expected: `divergedAtSeq ${first.seq}, the least seq of eventDiffs (${first.at})`, actual };
}

/** Events about the replay itself may be listed: they are no divergence. */
function isOfReplay({ seq, aEvent, bEvent }: Listed, runs: readonly RecordedRun[]): boolean {
  const events = [aEvent, bEvent].flatMap((raw) => readRunEvent(raw) ?? []);
  if (events.length > 0) return events.every(isAboutReplay);
  return runs.some((run) => eventsOf(run).some((event) => event.sequence === seq && isAboutReplay(event)));
}

/** The numbers by which the place of an entry may be called: in either log, as a sequence number or counted. */
function namesOf({ seq, aEvent, bEvent }: Listed, runs: readonly RecordedRun[]): ReadonlySet<number> {
  const numbers = [seq, ...[aEvent, bEvent].flatMap((raw) => readRunEvent(raw)?.sequence ?? [])];
  const counted = runs.flatMap((run) =>
    eventsOf(run).flatMap(({ sequence }, index) => [
      ...(numbers.includes(sequence) ? [index] : []),
      ...(index === seq ? [sequence] : []),
    ]),
  );
  return new Set([...numbers, ...counted]);
}

/**
 * What is added or removed stands in one of the logs, always the same one (which, is left open: either run may be the one
 * that is compared with); what is changed is not the same in both.
 */
function otherEvents(listed: readonly Listed[]): Contradiction | undefined {
  const sides = new Map<string, string>();
  for (const entry of listed) {
    const { at, op, aEvent, bEvent } = entry;
    const shownSides = SIDES.filter((side) => entry[side] !== null);
    if (op === 'changed') {
      // Of events that are shown in part, the rest may differ.
      if (readRunEvent(aEvent) === undefined || !isDeepStrictEqual(aEvent, bEvent)) continue;
      return { expected: `two events that differ in ${at}, ${shown(op)}`, actual: 'one event on both sides' };
    }
    if (shownSides.length > 1) {
      return { expected: `an event of one side in ${at}, ${shown(op)}`, actual: shownSides.join(' and ') };
    }
    const [side] = shownSides;
    if (side === undefined) continue;
    const other = [...sides].find(([name, known]) => (name === op) !== (known === side));
    if (other !== undefined) {
      const expected = `${SIDES.find((each) => each !== side) ?? ''} in ${at}, ${shown(op)}, as ${shown(other[0])} shows ${other[1]}`;
      return { expected, actual: side };
    }
    sides.set(String(op), side);
  }
  return undefined;
}

/** The event of a side is one of that run's. */
function otherSide(listed: readonly Listed[], runs: Readonly<Record<'aEvent' | 'bEvent', RecordedRun>>) {
  const ids = { aEvent: idsOf(runs.aEvent), bEvent: idsOf(runs.bEvent) };
  for (const { at, ...entry } of listed) {
    for (const side of SIDES) {
      const id = member(entry[side], 'eventId');
      const otherwise = side === 'aEvent' ? 'bEvent' : 'aEvent';
      if (typeof id !== 'string' || ids[side].has(id) || !ids[otherwise].has(id)) continue;
      const expected = `an event of ${named(runs[side])} in ${at}/${side}`;
      return { expected, actual: `eventId ${shown(id)}, which is one of ${named(runs[otherwise])}` };
    }
  }
  return undefined;
}

/** The number of the first entry is that of an event that it shows, or its place in the log, with replay.* events or without; how later ones are counted is left open. */
function otherNumber(
  listed: readonly Listed[],
  runs: Readonly<Record<(typeof SIDES)[number], RecordedRun>>,
): Contradiction | undefined {
  const [first] = listed.toSorted((one, other) => one.seq - other.seq);
  if (first === undefined) return undefined;
  const numbers = SIDES.flatMap((side) => {
    const event = readRunEvent(first[side]);
    const log = eventsOf(runs[side]);
    const places = [log, log.filter((each) => !isAboutReplay(each))].map((events) =>
      events.findIndex(({ eventId }) => eventId === event?.eventId),
    );
    return event === undefined ? [] : [event.sequence, ...places.filter((at) => at !== -1)];
  });
  if (numbers.length === 0 || numbers.includes(first.seq)) return undefined;
  const expected = `seq ${[...new Set(numbers)].join(' or ')} in ${first.at}, as the event that it shows`;
  return { expected, actual: `seq ${first.seq}` };
}

/** What is changed stands in both logs: not behind the end of one of them, of which then no event is shown. */
function changedPastEnd(
  listed: readonly Listed[],
  runs: Readonly<Record<(typeof SIDES)[number], RecordedRun>>,
): Contradiction | undefined {
  for (const { at, op, seq, ...entry } of listed) {
    if (op !== 'changed') continue;
    const side = SIDES.find((each) => entry[each] === null);
    const events = side === undefined ? [] : eventsOf(runs[side]);
    const last = events.at(-1);
    if (side === undefined || last === undefined || seq <= last.sequence || seq < events.length) continue;
    const expected = `an event of ${named(runs[side])} that ${at} says is ${shown(op)} at seq ${seq}`;
    return { expected, actual: `its log ends at ${last.sequence}` };
  }
  return undefined;
}

/**
 * The first event type whose surplus in one log is not the surplus that the list shows. A host may leave types out of its comparison, so
 * types that the list never shows are not judged; neither is a truncated list, nor one without the events themselves.
 */
function missing(body: unknown, listed: readonly Listed[], runs: Readonly<Record<'aEvent' | 'bEvent', RecordedRun>>) {
  if (member(body, 'truncated') === true) return undefined;
  const balance = new Map<string, number>();
  for (const entry of listed) {
    const sides = SIDES.filter((side) => entry[side] !== null);
    if (sides.length !== (entry.op === 'changed' ? 2 : 1)) return undefined;
    for (const side of sides) {
      const type = member(entry[side], 'type');
      if (typeof type !== 'string') return undefined;
      balance.set(type, (balance.get(type) ?? 0) + (side === 'aEvent' ? -1 : 1));
    }
  }
  const { aEvent: a, bEvent: b } = runs;
  const found = [...balance].find(([type, more]) => more !== count(b, type) - count(a, type));
  if (found === undefined) return undefined;
  const [type, more] = found;
  const expected = `entries for ${count(a, type)} events ${type} of ${named(a)} and ${count(b, type)} of ${named(b)}: a balance of ${count(b, type) - count(a, type)}`;
  return { expected, actual: `the entries of eventDiffs balance to ${more}` };
}

function count(run: RecordedRun, wanted: string): number {
  return eventsOf(run).filter(({ type }) => type === wanted).length;
}

function idsOf(run: RecordedRun): ReadonlySet<string> {
  return new Set(eventsOf(run).map(({ eventId }) => eventId));
}
