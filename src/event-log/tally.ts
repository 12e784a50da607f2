import type { LogEvent } from './event.ts';
import type { DivergenceClass } from './classify.ts';
import type { LogState } from './fold.ts';

/** The first place where two logs part. */
export interface Divergence {
  readonly class: DivergenceClass;
  /** JSON pointer from the event's root; empty where the whole event is missing, extra or elsewhere. */
  readonly pointer: string;
  /** Sequence number of the event in its own log; null where that log has no event there. */
  readonly sequence: { readonly source: number | null; readonly replay: number | null };
  readonly event: { readonly source?: LogEvent; readonly replay?: LogEvent };
  /** The two values; a side that has nothing there is absent. */
  readonly source?: unknown;
  readonly replay?: unknown;
  /** The other places where the two events differ. */
  readonly alsoAt: readonly string[];
  /** The states before the two events. */
  readonly before: { readonly source: LogState; readonly replay: LogState };
}

/** One event that the two logs do not share, as the `:diff` endpoint shows it (wire-contract, Endpoints). */
export interface EventDiff {
  /** Sequence number in the source, of an added event in the replay. */
  readonly seq: number;
  readonly op: 'added' | 'removed' | 'changed';
  readonly aEvent?: Readonly<Record<string, unknown>>;
  readonly bEvent?: Readonly<Record<string, unknown>>;
}

/** The determinism score (replay.md, Determinism scoring). */
export interface Determinism {
  readonly sourceRunId: string | null;
  readonly replayRunId: string | null;
  readonly matchedEvents: number;
  readonly comparedEvents: number;
  readonly firstDivergenceSeq: number | null;
  /** matchedEvents / comparedEvents, from 0 to 1; null when nothing was comparable. */
  readonly score: number | null;
}

/** What counts the events of a comparison. */
export interface Tally {
  match(): void;
  /** One place of the alignment where the logs part; a side without an event is absent. */
  mismatch(source: LogEvent | undefined, replay: LogEvent | undefined): void;
  readonly eventDiffs: readonly EventDiff[];
  truncated(): boolean;
  counts(): Pick<Determinism, 'matchedEvents' | 'comparedEvents' | 'score'>;
}

/** Event diffs that are kept, and characters of events in them; more would make the memory grow with the log. */
const KEPT_DIFFS = 100;
const KEPT_CHARACTERS = 32 * 1024 * 1024;

export function createTally(): Tally {
  const eventDiffs: EventDiff[] = [];
  let matched = 0;
  let compared = 0;
  let room = KEPT_CHARACTERS;
  let truncated = false;
  return {
    eventDiffs,
    truncated: () => truncated,
    match: () => {
      matched += 1;
      compared += 1;
    },
    mismatch: (source, replay) => {
      compared += 1;
      const size = (source?.size ?? 0) + (replay?.size ?? 0);
      if (truncated || eventDiffs.length === KEPT_DIFFS || size > room) truncated = true;
      else {
        room -= size;
        eventDiffs.push(eventDiff(source, replay));
      }
    },
    counts: () => ({
      matchedEvents: matched,
      comparedEvents: compared,
      score: compared === 0 ? null : matched / compared,
    }),
  };
}

function eventDiff(source: LogEvent | undefined, replay: LogEvent | undefined): EventDiff {
  return {
    seq: source?.sequence ?? replay?.sequence ?? 0,
    op: source === undefined ? 'added' : replay === undefined ? 'removed' : 'changed',
    ...(source === undefined ? {} : { aEvent: source.raw }),
    ...(replay === undefined ? {} : { bEvent: replay.raw }),
  };
}
