import { compareEvents, diffValues, type LogEvent, meaningOf, readEvents } from '../../event-log/index.ts';
import type { Comparison, PairRow } from './comparison-model.ts';
import type { RunHead } from './timeline/model.ts';

/** A run with its whole log, as parsed JSON. */
interface Logged {
  readonly head: RunHead;
  readonly events: readonly unknown[];
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
  const compared = compareEvents(source.events, replay.events);
  if (!compared.ok) {
    return {
      ...runs,
      rows: [],
      left: { before: 0, after: 0 },
      unreadable: `the ${compared.side}'s log, ${compared.at}: ${compared.message}`,
    };
  }
  const { first, determinism, eventDiffs, eventDiffsTruncated, masks, renamedIds } = compared.diff;
  const rows = align(eventsOf(source), eventsOf(replay), eventDiffs);
  const parting = rows.findIndex(({ kind }) => kind === 'changed' || kind === 'missing' || kind === 'extra');
  const start = parting < shown ? 0 : parting - Math.floor(shown * BEFORE);
  return {
    ...runs,
    rows: rows.slice(start, start + shown),
    left: { before: start, after: Math.max(0, rows.length - start - shown) },
    matched: determinism.matchedEvents,
    compared: determinism.comparedEvents,
    masks,
    renamedIds,
    onlyFirstMarked: eventDiffsTruncated,
    ...(first === undefined
      ? {}
      : {
          first: {
            name: first.class,
            meaning: meaningOf(first.class),
            pointer: first.pointer,
            alsoAt: first.alsoAt,
            sequence: first.sequence,
            ...('source' in first ? { source: first.source } : {}),
            ...('replay' in first ? { replay: first.replay } : {}),
          },
        }),
  };
}

function eventsOf({ events }: Logged): readonly LogEvent[] {
  const read = readEvents(events);
  return read.ok ? read.events : [];
}

type Diffs = Extract<ReturnType<typeof compareEvents>, { ok: true }>['diff']['eventDiffs'];

/** Pairs the events as the comparison has paired them; events about replays stand alone and count for nothing. */
function align(source: readonly LogEvent[], replay: readonly LogEvent[], diffs: Diffs): readonly PairRow[] {
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
      rows.push({ kind: 'note', source: sideOf(left) });
      a += 1;
    } else if (right !== undefined && isAboutReplay(right)) {
      rows.push({ kind: 'note', replay: sideOf(right) });
      b += 1;
    } else if (left !== undefined && (kinds.get(left.raw) === 'missing' || right === undefined)) {
      rows.push({ kind: 'missing', source: sideOf(left) });
      a += 1;
    } else if (right !== undefined && (kinds.get(right.raw) === 'extra' || left === undefined)) {
      rows.push({ kind: 'extra', replay: sideOf(right) });
      b += 1;
    } else if (left !== undefined && right !== undefined) {
      const sides = { source: sideOf(left), replay: sideOf(right) };
      rows.push(
        kinds.has(left.raw) ? { kind: 'changed', ...sides, marks: marksOf(left, right) } : { kind: 'same', ...sides },
      );
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

function sideOf({ sequence, type, nodeId, payload }: LogEvent): NonNullable<PairRow['source']> {
  return { sequence, type, ...(nodeId === undefined ? {} : { nodeId }), payload };
}
