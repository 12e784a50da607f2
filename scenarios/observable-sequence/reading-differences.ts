import { member } from '../../src/contract/discovery.ts';
import type { Mismatch } from '../../src/contract/outcome.ts';
import { diffValues } from '../../src/event-log/index.ts';
import { isTerminal, sequenceOf, shownSequence, typeOf, type Shown } from '../../src/host/log/shown.ts';
import { isReduced, readRunEvent } from '../../src/host/run-event.ts';
import { isNamedType } from '../../src/protocol/event-type.ts';
import { shown } from '../shared/compare-runs.ts';
import { FOUNDATIONS } from '../shared/foundations.ts';
import { instantOf } from '../shared/instant.ts';
import { endsOf, findDisorder, inOrder, logOf, titleOf, type RecordedReading } from './logs.ts';

/** Where two readings differ first; `isShort` where one of them is the beginning of the other. */
interface Disagreement extends Mismatch {
  readonly pointer: string;
  readonly isShort: boolean;
}

/** Compares what a reading shows with what another one shows of the same run. */
export function disagreement(base: RecordedReading, other: RecordedReading): Disagreement | undefined {
  const wanted = base.events.filter((event) => isWanted(event, base, other) && !isDebugOnly(event, other));
  const given = other.events.filter((event) => !isDebugOnly(event, base));
  for (let index = 0; index < Math.max(wanted.length, given.length); index += 1) {
    const [a, b] = [wanted[index], given[index]];
    if (b === undefined && other.cut === true) return undefined;
    const difference = a === undefined || b === undefined ? { pointer: '', a, b } : differing(a, b, [base, other]);
    if (difference === undefined) continue;
    const at = `event ${index + 1}${difference.pointer === '' ? '' : ` ${difference.pointer}`}`;
    const isShort = a === undefined || b === undefined;
    // An event that is there may lack the member, or hold null.
    const text = (value: unknown): string => shown(isShort && value === undefined ? 'no event' : value);
    return {
      expected: `${at}: ${text(difference.a)} as in ${titleOf(base)}`,
      actual: `${text(difference.b)} in ${titleOf(other)}`,
      pointer: difference.pointer,
      isShort,
    };
  }
  return undefined;
}

/**
 * The row that says why two readings differ, where another one does: that a log lacks its end or goes on behind it, that its
 * numbers go back or repeat, that a reading goes on elsewhere than its cursor says, from one page to the next as well.
 */
export function ownerOf(found: Disagreement, base: RecordedReading, other: RecordedReading): string | undefined {
  const both = [base, other];
  if (found.isShort && both.some(({ events }) => endsOf(events).length === 0)) return FOUNDATIONS.ends;
  if (both.some((each) => findDisorder([logOf(each)]) !== undefined)) {
    const isByNumbers = found.pointer === '/sequence' || other.how === 'resumed';
    if (isByNumbers || agreeWith(base, other, inOrder)) return FOUNDATIONS.numbers;
  }
  if (agreeWith(base, other, upToEnd)) return FOUNDATIONS.ends;
  const isSkipping = skips(base, other) || skips(other, base);
  return other.how === 'resumed' || isSkipping ? 'run.cursor' : undefined;
}

function agreeWith(
  base: RecordedReading,
  other: RecordedReading,
  mend: (events: readonly Shown[]) => readonly Shown[],
): boolean {
  const [one, two] = [base, other].map((each) => ({ ...each, events: mend(each.events) }));
  return one !== undefined && two !== undefined && disagreement(one, two) === undefined;
}

function upToEnd(events: readonly Shown[]): readonly Shown[] {
  const end = events.findIndex(isTerminal);
  return end === -1 ? events : events.slice(0, end + 1);
}

/** Whether a reading that took several answers shows less than another one, and nothing else. */
export function skips(paged: RecordedReading, whole: RecordedReading): boolean {
  if (paged.exchanges.length < 2 || paged.events.length >= whole.events.length) return false;
  const numbers = new Set(paged.events.map(sequenceOf));
  const events = whole.events.filter((event) => numbers.has(sequenceOf(event)));
  return disagreement({ ...whole, events }, paged) === undefined;
}

/** What the other reading should show of the base: what follows its cursor, and what its stream mode lets through. */
function isWanted(event: Shown, base: RecordedReading, other: RecordedReading): boolean {
  const sequence = sequenceOf(event);
  if (other.after !== null && sequence !== undefined && sequence <= other.after) return false;
  if (!other.partial || base.partial) return true;
  return other.events.some((each) => sequenceOf(each) === sequence);
}

/** Whether an event reports a divergence, which a host may do in its debug stream alone (replay.md, Failure surfaces). */
function isDebugOnly(event: Shown, elsewhere: RecordedReading): boolean {
  return isReport(event) && !elsewhere.events.some(isReport);
}

function isReport(event: Shown): boolean {
  return typeOf(event) === 'replay.diverged';
}

function isDebug({ transport, partial }: RecordedReading): boolean {
  return transport === 'sse' && !partial;
}

/** The readings of a run without what the debug stream alone shows of a host's own types: that mode shows everything (wire, SSE). */
export function withoutDebugOnly(read: readonly RecordedReading[]): readonly RecordedReading[] {
  const others = read.filter((reading) => !isDebug(reading));
  const types = new Set(others.flatMap(({ events }) => events.map(typeOf)));
  const isKept = (event: Shown): boolean => types.has(typeOf(event)) || isNamedType(String(typeOf(event)));
  return read.map((reading) =>
    types.size === 0 || !isDebug(reading) || reading.events.every(isKept)
      ? reading
      : { ...reading, events: reading.events.filter(isKept) },
  );
}

interface Different {
  readonly pointer: string;
  readonly a: unknown;
  readonly b: unknown;
}

/** What two readings show otherwise of one event: its type in each of them, and the members that differ. */
interface ShownTwice {
  readonly type: string;
  readonly otherType: string;
  readonly pointers: readonly string[];
}

/** The first event of two readings that they show otherwise; undefined where there is none. */
export function shownOtherwise(one: RecordedReading, other: RecordedReading): ShownTwice | undefined {
  for (const a of one.events) {
    const b = other.events.find((each) => sequenceOf(each) === sequenceOf(a));
    const [type, otherType] = [typeOf(a), b && typeOf(b)];
    if (b === undefined || type === undefined || otherType === undefined || differing(a, b, [one, other]) === undefined)
      continue;
    const [mine, theirs] = [contentOf(a), contentOf(b)];
    const members = ['nodeId' as const, ...OPTIONAL]
      .filter((name) => isOtherwise(name, mine, theirs, [one, other]))
      .map((name) => `/${name}`);
    return { type, otherType, pointers: [...members, ...payloadsDiffer(mine, theirs).map(({ pointer }) => pointer)] };
  }
  return undefined;
}

function payloadsDiffer(one: Content, two: Content): ReturnType<typeof diffValues> {
  return diffValues(one.payload, two.payload, { pointer: '/payload', sourceRunId: '', replayRunId: '' });
}

/** Whose event one is, and what caused it. */
export const OPTIONAL = ['runId', 'causationId'] as const;
/** The members that are compared of every event, and of a whole one. */
const COMPARED = {
  reduced: ['type', 'sequence'],
  whole: ['type', 'sequence', 'eventId', 'nodeId', ...OPTIONAL],
} as const;

type Both = readonly [Pick<RecordedReading, 'transport'>, Pick<RecordedReading, 'transport'>];

/**
 * Whether two readings show a member of a whole event otherwise. A stream may leave out what an event need not have (wire-contract, SSE: a
 * reduced object); where lists do, they show another event than what shows it. Whose event it is may be left out everywhere.
 */
function isOtherwise(name: keyof Content, one: Content, two: Content, [by, other]: Both): boolean {
  if (one[name] === two[name]) return false;
  const mayLack = ({ transport }: Both[number]): boolean =>
    name === 'runId' || (transport === 'sse' && (name === 'nodeId' || name === 'causationId'));
  return !(one[name] === undefined && mayLack(by)) && !(two[name] === undefined && mayLack(other));
}

function differing(a: Shown, b: Shown, both: Both): Different | undefined {
  const [one, two] = [contentOf(a), contentOf(b)];
  const whole = one.payload !== undefined && two.payload !== undefined;
  for (const name of COMPARED[whole ? 'whole' : 'reduced']) {
    // A reduced event need not show its number.
    const shows = whole || (one[name] !== undefined && two[name] !== undefined);
    if (shows && isOtherwise(name, one, two, both)) return { pointer: `/${name}`, a: one[name], b: two[name] };
  }
  if (!whole) return undefined;
  const [found] = payloadsDiffer(one, two);
  return found === undefined ? atAnotherTime(a, b) : { pointer: found.pointer, a: found.source, b: found.replay };
}

/** What a form that shows seconds alone may leave of a time, in milliseconds. */
const SECOND = 1000;

/** Times of one event that are other instants, in whatever forms both show them. */
function atAnotherTime(a: Shown, b: Shown): Different | undefined {
  const [one, two] = [a, b].map(({ data }) => member(data, 'timestamp'));
  const [ours, theirs] = [instantOf(one), instantOf(two)];
  if (ours === undefined || theirs === undefined) return undefined;
  return Math.abs(ours - theirs) >= SECOND ? { pointer: '/timestamp', a: one, b: two } : undefined;
}

/** What of an event is compared; a reduced one has no payload. */
interface Content {
  readonly type: unknown;
  readonly sequence: unknown;
  readonly eventId?: unknown;
  readonly nodeId?: unknown;
  readonly runId?: unknown;
  readonly causationId?: unknown;
  readonly payload?: unknown;
}

function contentOf(event: Shown): Content {
  const whole = isReduced(event.data) ? undefined : readRunEvent(event.data);
  if (whole === undefined) return { type: typeOf(event), sequence: shownSequence(event) };
  const { runId } = whole.raw;
  return { ...whole, runId: typeof runId === 'string' ? runId : undefined };
}
