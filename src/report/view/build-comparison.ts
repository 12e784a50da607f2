import { compareEvents, diffValues, type LogDiff, type LogEvent, readEvents } from '../../event-log/index.ts';
import type { RunHead } from './timeline/model.ts';

/** A run with its whole log, as parsed JSON. */
export interface Logged {
  readonly head: RunHead;
  readonly events: readonly unknown[];
}

/** One place of the alignment; a `note` is an event about the replay, which counts for nothing. */
export interface PairRow {
  readonly kind: 'same' | 'changed' | 'missing' | 'extra' | 'note';
  readonly source?: LogEvent;
  readonly replay?: LogEvent;
  /** JSON pointers of the places at which the payloads differ, the own run's id apart. */
  readonly marks?: readonly string[];
}

/** Two logs side by side. */
export interface Comparison {
  readonly source: RunHead;
  readonly replay: RunHead;
  readonly rows: readonly PairRow[];
  /** Rows that are not shown, before and behind. */
  readonly left: { readonly before: number; readonly after: number };
  /** How they compare, or which log cannot be read, and why. */
  readonly compared: LogDiff | string;
}

/** Rows that are shown where nothing else is said. */
const ROWS = 400;
/** The part of them that stands before the first divergence, where not all rows are shown. */
const BEFORE = 0.1;

/**
 * A source's log and a replay's side by side, aligned, with the first place where they part; so many rows of them, the first
 * divergence among them.
 */
export function buildComparison(source: Logged, replay: Logged, shown = ROWS): Comparison {
  const runs = { source: source.head, replay: replay.head };
  const result = compareEvents(source.events, replay.events);
  if (!result.ok) {
    const compared = `the ${result.side}'s log, ${result.at}: ${result.message}`;
    return { ...runs, rows: [], left: { before: 0, after: 0 }, compared };
  }
  const rows = align(eventsOf(source), eventsOf(replay), result.diff.eventDiffs);
  const parting = rows.findIndex(isParting);
  const start = parting < shown ? 0 : parting - Math.floor(shown * BEFORE);
  const left = { before: start, after: Math.max(0, rows.length - start - shown) };
  return { ...runs, rows: rows.slice(start, start + shown), left, compared: result.diff };
}

/** Whether the logs differ in a row. */
export function isParting({ kind }: PairRow): boolean {
  return kind !== 'same' && kind !== 'note';
}

function eventsOf({ events }: Logged): readonly LogEvent[] {
  const read = readEvents(events);
  return read.ok ? read.events : [];
}

/** Pairs the events as the comparison has paired them; events about replays stand alone and count for nothing. */
function align(
  source: readonly LogEvent[],
  replay: readonly LogEvent[],
  diffs: LogDiff['eventDiffs'],
): readonly PairRow[] {
  const kinds = new Map<unknown, 'changed' | 'missing' | 'extra'>();
  for (const { op, aEvent, bEvent } of diffs) {
    const kind = op === 'changed' ? 'changed' : op === 'added' ? 'extra' : 'missing';
    for (const raw of [aEvent, bEvent]) if (raw !== undefined) kinds.set(raw, kind);
  }
  const rows: PairRow[] = [];
  let [a, b] = [0, 0];
  while (a < source.length || b < replay.length) {
    const [left, right] = [source[a], replay[b]];
    if (left !== undefined && isAboutReplay(left)) {
      rows.push({ kind: 'note', source: left });
      a += 1;
    } else if (right !== undefined && isAboutReplay(right)) {
      rows.push({ kind: 'note', replay: right });
      b += 1;
    } else if (left !== undefined && (kinds.get(left.raw) === 'missing' || right === undefined)) {
      rows.push({ kind: 'missing', source: left });
      a += 1;
    } else if (right !== undefined && (kinds.get(right.raw) === 'extra' || left === undefined)) {
      rows.push({ kind: 'extra', replay: right });
      b += 1;
    } else if (left !== undefined && right !== undefined) {
      const sides = { source: left, replay: right };
      const isSame = !kinds.has(left.raw);
      rows.push(isSame ? { kind: 'same', ...sides } : { kind: 'changed', ...sides, marks: marksOf(left, right) });
      a += 1;
      b += 1;
    }
  }
  return rows;
}

function marksOf(source: LogEvent, replay: LogEvent): readonly string[] {
  const ids = { sourceRunId: source.runId ?? '', replayRunId: replay.runId ?? source.runId ?? '' };
  return diffValues(source.payload, replay.payload, { pointer: '', ...ids }).map(({ pointer }) => pointer);
}

function isAboutReplay({ type }: LogEvent): boolean {
  return type.startsWith('replay.');
}
