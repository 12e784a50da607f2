import { excessOf } from '../../evidence/json-depth.ts';
import { definePacked, keepMember, pack, type Packed, PACKED_CHARACTERS, packedBytes } from '../../evidence/pack.ts';
import { readRunEvent, type RunEvent } from '../run-event.ts';
import { terminalStatus } from '../../protocol/run-status.ts';
import { lackedBy } from './lean.ts';

/** The number that logs begin with, or none that is higher (readings, Fork and prefix). */
export const LATEST_START = 1;
/** Events of one run that are kept; a longer log is not judged. */
export const KEPT_EVENTS = 50_000;
/** Characters of JSON that they may have together. */
const KEPT_CHARACTERS = 32 * 1024 * 1024;
/** Bytes that all logs of a run may take, packed: beyond that none is kept any more. */
const KEPT_BYTES = 120 * 1024 * 1024;

/** A run's log that is put together from several answers. What is large of it is packed, and unpacked for whoever looks at it. */
export interface EventLog {
  readonly events: readonly RunEvent[];
  /**
   * Appends one answer's events and returns how many were new. What an earlier answer held already is a repetition and
   * is passed over; what one answer holds twice stays, because that is the host's own log.
   */
  add(answer: readonly RunEvent[]): number;
  /** True when more came than is kept. */
  isFull(): boolean;
  hasEnded(): boolean;
  /** The status that the first terminal event stands for. */
  status(): string | undefined;
  /** Whether events may be missing: there are fewer than their numbers let expect, or it begins late. */
  hasGaps(): boolean;
  /** Whether a number repeats, or does not stand above the one before it. */
  isDisordered(): boolean;
  /** What some of its events lack, by their types. */
  lacked(): ReadonlySet<string>;
  /** The highest sequence number so far, or undefined for an empty log. */
  lastSequence(): number | undefined;
  /** Gives an object a member that holds the events as the host sent them. */
  keepIn(target: object, name: string): void;
}

export function createEventLog(): EventLog {
  const parts: (Packed | readonly RunEvent[])[] = [];
  const known = createIdentities();
  const lacked = new Set<string>();
  let full = false;
  let disordered = false;
  let status: string | undefined;
  let [first, last]: readonly (number | undefined)[] = [];
  let count = 0;
  let characters = 0;
  const keep = (events: readonly RunEvent[]): void => {
    const text = JSON.stringify(events.map(({ raw }) => raw));
    characters += text.length;
    const isLarge = text.length >= PACKED_CHARACTERS;
    full ||= characters > KEPT_CHARACTERS || (isLarge && (excessOf(text) !== undefined || packedBytes() > KEPT_BYTES));
    if (!full) parts.push(isLarge ? pack(text) : events);
  };
  const events = (): readonly RunEvent[] => parts.flatMap((part) => ('bytes' in part ? eventsIn(part.value()) : part));
  return {
    get events() {
      return events();
    },
    add: (answer) => {
      const fresh = answer.filter((event) => !known.has(event));
      const room = KEPT_EVENTS - count;
      const kept = fresh.slice(0, room);
      count += kept.length;
      for (const event of kept) {
        known.add(event);
        for (const each of lackedBy(event, first === undefined)) lacked.add(each);
        status ??= terminalStatus(event.type);
        first = Math.min(first ?? Infinity, event.sequence);
        disordered ||= event.sequence <= (last ?? -Infinity);
        last = Math.max(last ?? -Infinity, event.sequence);
      }
      if (kept.length > 0) keep(kept);
      full ||= fresh.length > room;
      return fresh.length;
    },
    isFull: () => full,
    hasEnded: () => status !== undefined,
    status: () => status,
    hasGaps: () => first !== undefined && last !== undefined && (first > LATEST_START || last - first >= count),
    isDisordered: () => disordered,
    lacked: () => lacked,
    lastSequence: () => last,
    keepIn: (target, name) => {
      const [part, more] = parts;
      if (part !== undefined && more === undefined && 'bytes' in part) definePacked(target, name, part);
      else
        keepMember(
          target,
          name,
          events().map(({ raw }) => raw),
        );
    },
  };
}

/** Events that were read before. */
function eventsIn(value: unknown): readonly RunEvent[] {
  return Array.isArray(value) ? value.map(readRunEvent).filter((event) => event !== undefined) : [];
}

interface Identities {
  readonly has: (event: RunEvent) => boolean;
  readonly add: (event: RunEvent) => void;
}

/** Numbers and ids of events. A long log's would take as much as the log, put together as texts. */
function createIdentities(): Identities {
  const byNumber = new Map<number, string | Set<string>>();
  return {
    has: ({ sequence, eventId }) => {
      const ids = byNumber.get(sequence);
      return typeof ids === 'object' ? ids.has(eventId) : ids === eventId;
    },
    add: ({ sequence, eventId }) => {
      const ids = byNumber.get(sequence);
      if (typeof ids === 'object') ids.add(eventId);
      else byNumber.set(sequence, ids === undefined ? eventId : new Set([ids, eventId]));
    },
  };
}
