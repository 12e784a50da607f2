import type { LogEvent } from './event.ts';
import type { LogStream } from './read.ts';

/** Events of a log that are held at once: insertions and deletions up to this length are realigned. */
export const WINDOW = 64;

/** Causes of replay.* events, and reports, that are remembered. */
const REMEMBERED = 1024;

/** An event with what its neighbours in its own log say about it. */
export interface Entry {
  readonly event: LogEvent;
  /**
   * Steps in sequence number from the event before it, replay.* events included; undefined for the first. Comparing
   * steps needs neither a common first number nor numbers that replay.* events have not shifted.
   */
  readonly step: number | undefined;
  /** The event that led to this one; where that is a replay.* event, the one that led to it. */
  readonly cause: string | undefined;
}

/** A log with its next entries in view. */
export interface LookAhead {
  /** The entry `index` places ahead, 0 being the next one. */
  peek(index: number): Entry | undefined;
  /** How many entries are in view, at most `WINDOW`. */
  inView(): number;
  /** Takes the next entry away. */
  next(): void;
  /** The events in which the log itself reports a divergence, as far as it was read (replay.md, Failure surfaces; Phase 4 §B). */
  reports(): readonly LogEvent[];
}

/** A log that comes piece by piece. */
export interface StreamedLookAhead extends LookAhead {
  /** Brings `WINDOW` entries into view, or all that are left. Gives where and why the log cannot be read, if so. */
  fill(): Promise<{ readonly at: string; readonly message: string } | undefined>;
  isFilled(): boolean;
}

/** Looks ahead in a log whose events are in memory. */
export function lookAheadIn(events: readonly LogEvent[]): LookAhead {
  const queue = createQueue();
  queue.append(events);
  return queue;
}

/** Reads a log ahead, as far as the view needs it. */
export function createLookAhead(log: LogStream): StreamedLookAhead {
  const batches = log[Symbol.asyncIterator]();
  const queue = createQueue();
  let ended = false;
  const isFilled = (): boolean => ended || queue.inView() === WINDOW;
  return {
    ...queue,
    isFilled,
    fill: async () => {
      while (!isFilled()) {
        const { done, value } = await batches.next();
        if (done === true) ended = true;
        else if (value.ok) queue.append(value.events);
        else return { at: value.at, message: value.message };
      }
      return undefined;
    },
  };
}

interface Queue extends LookAhead {
  append(events: readonly LogEvent[]): void;
}

/** Entries in order. replay.* events are passed over: they do not count in the alignment. */
function createQueue(): Queue {
  let entries: Entry[] = [];
  let start = 0;
  let previous: number | undefined;
  const passed = new Map<string, string | undefined>();
  const reports: LogEvent[] = [];
  return {
    reports: () => reports,
    append: (events) => {
      entries = entries.slice(start);
      start = 0;
      for (const event of events) {
        const cause = causeBehind(event, passed);
        if (!event.type.startsWith('replay.')) {
          entries.push({ event, step: previous === undefined ? undefined : event.sequence - previous, cause });
          previous = event.sequence;
        } else {
          if (event.type.startsWith('replay.diverged') && reports.length < REMEMBERED) reports.push(event);
          if (passed.size < REMEMBERED) passed.set(event.eventId, cause);
          if (previous !== undefined) previous = event.sequence;
        }
      }
    },
    peek: (index) => entries[start + index],
    inView: () => Math.min(WINDOW, entries.length - start),
    next: () => {
      start += 1;
    },
  };
}

function causeBehind({ causationId }: LogEvent, passed: ReadonlyMap<string, string | undefined>): string | undefined {
  return passed.size > 0 && causationId !== undefined && passed.has(causationId)
    ? passed.get(causationId)
    : causationId;
}
