import { isSequence } from '../../src/host/run-event.ts';
import { fail, type Outcome } from '../../src/contract/outcome.ts';
import { isTerminal, sequenceOf, shownSequence, typeOf, type Shown } from '../../src/host/log/shown.ts';
import type { Recorded } from '../../src/runner/scenario.ts';
import { named, shown } from '../shared/compare-runs.ts';
import { FOUNDATIONS } from '../shared/foundations.ts';
import type { RecordedRun } from '../shared/need.ts';
import { ofType, type Recordings } from '../shared/of-type.ts';
import type { ReadingObservation } from '../shared/reading.ts';
import { wrong as naming } from './diagnoses.ts';
import { sharedCause } from '../shared/diagnoses.ts';

/** A log as it was shown once, whichever way it was read. */
export interface ShownLog {
  /** The observation's id. */
  readonly id: string;
  /** Which log, and which reading of it, in words. */
  readonly title: string;
  readonly events: readonly Shown[];
  /** There where it was cut off before its end. */
  readonly cut?: true;
}

export type RecordedReading = Recorded<ReadingObservation>;

/** The readings among a scenario's observations. */
export function readingsIn(recorded: Recordings): readonly RecordedReading[] {
  return ofType<ReadingObservation>(recorded, 'reading');
}

const FROM = {
  start: 'from the start',
  again: 'read again',
  waiting: 'while it waits',
  live: 'while it goes on',
} as const;

/** A reading in words. */
export function titleOf({ transport, how, after, run, runId }: ReadingObservation): string {
  const from = how === 'resumed' ? `resumed after ${String(after)}` : FROM[how];
  return `the ${transport} reading (${from}) of the ${run} ${runId}`;
}

/** The streams of further runs that were read while these went on, where all of them stopped in this way before the end. */
export function steadily(
  read: readonly RecordedReading[],
  stopped: NonNullable<ReadingObservation['stopped']>,
): readonly RecordedReading[] {
  const [first, ...further] = read.filter(({ how }) => how === 'live');
  const isSteady = first !== undefined && further.length > 1 && further.every((each) => each.stopped === stopped);
  return isSteady ? further : [];
}

/** A reading as a log to judge. */
export function logOf(reading: RecordedReading): ShownLog {
  return {
    id: reading.id,
    title: titleOf(reading),
    ...(reading.cut === true && { cut: true }),
    get events() {
      return reading.events;
    },
  };
}

/** The log of a run as it was followed. */
export function followedLog(run: Pick<RecordedRun, 'id' | 'role' | 'runId' | 'events'>): ShownLog {
  return {
    id: run.id,
    title: `the log of ${named(run)}`,
    get events() {
      return run.events.map((data) => ({ id: null, name: null, data }));
    },
  };
}

/** The numbers of a log's events; undefined where it is empty or an event has none. */
export function numbersOf({ events }: Pick<ShownLog, 'events'>): readonly number[] | undefined {
  const numbers = events.map(shownSequence).filter((sequence) => typeof sequence === 'number');
  return numbers.length === events.length && numbers.length > 0 ? numbers : undefined;
}

/**
 * The first number that is none, or that does not stand above the one before it (replay.md, Why). Reduced events that show
 * no numbers are not judged.
 */
export function findDisorder(logs: readonly ShownLog[]): Outcome | undefined {
  for (const log of logs) {
    const wrong = notNumbered(log);
    if (wrong !== undefined) return wrong;
    const numbers = numbersOf(log) ?? [];
    const at = numbers.findIndex((sequence, index) => index > 0 && sequence <= (numbers[index - 1] ?? sequence));
    if (at === -1) continue;
    const earlier = numbers.indexOf(numbers[at] ?? 0);
    const also = earlier < at ? `, which event ${earlier + 1} has (${typeAt(log, earlier)})` : '';
    const expected = `a sequence number above ${String(numbers[at - 1])} for event ${at + 1} (${typeAt(log, at)}) of ${log.title}`;
    return fail(
      { diagnosis: sharedCause('numbers-not-increasing'), expected, actual: `${String(numbers[at])}${also}` },
      [log],
    );
  }
  return undefined;
}

function notNumbered(log: ShownLog): Outcome | undefined {
  const sequences = log.events.map(shownSequence);
  const at = sequences.findIndex((sequence) => sequence !== undefined && !isSequence(sequence));
  if (at === -1) return undefined;
  const expected = `a whole number from 0 on as the sequence of event ${at + 1} (${typeAt(log, at)}) of ${log.title}`;
  const actual = sequences[at] === null ? 'none in the range of a double' : shown(sequences[at]);
  return fail({ diagnosis: sharedCause('numbers-not-increasing'), expected, actual }, [log]);
}

/** The first log that does not end with its only terminal event (wire-contract, SSE); an empty one, or one that was cut off before any, is not judged. */
export function findWrongEnd(logs: readonly ShownLog[]): Outcome | undefined {
  for (const { id, title, events, cut } of logs) {
    const ends = endsOf(events);
    if (cut === true && ends.length === 0) continue;
    const [end] = ends;
    if (events.length === 0 || (ends.length === 1 && end === events.length - 1)) continue;
    const types = events.slice(end === undefined ? -3 : end).map((event) => typeOf(event) ?? '(no type)');
    const actual = `${ends.length} terminal events; the log ends with ${types.join(', ')}`;
    // Where only the order is wrong, or the same is shown again, the row about numbers says so.
    const mended = inOrder(events);
    const restsOn = endsOf(mended).join(',') === `${mended.length - 1}` ? FOUNDATIONS.numbers : undefined;
    return fail(
      { diagnosis: naming('wrong-end'), expected: `one terminal event, the last one, in ${title}`, actual, restsOn },
      [id],
    );
  }
  return undefined;
}

/** The places of the terminal events. */
export function endsOf(events: readonly Shown[]): readonly number[] {
  return events.flatMap((event, index) => (isTerminal(event) ? [index] : []));
}

/** Events in the order of their numbers, each once; as they are where one shows no number. */
export function inOrder(events: readonly Shown[]): readonly Shown[] {
  const unique = new Map(events.map((event) => [JSON.stringify(event.data), event]));
  const numbered = [...unique.values()].map((event) => ({ event, number: sequenceOf(event) }));
  if (numbered.some(({ number }) => number === undefined)) return events;
  return numbered.toSorted((a, b) => (a.number ?? 0) - (b.number ?? 0)).map(({ event }) => event);
}

function typeAt({ events }: ShownLog, index: number): string {
  const event = events[index];
  return (event === undefined ? undefined : typeOf(event)) ?? 'no type';
}
