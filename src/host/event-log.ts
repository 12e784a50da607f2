import { terminalStatus, type RunEvent } from './run-event.ts';

/** Events of one run that are kept; a longer log is not judged. */
export const KEPT_EVENTS = 50_000;

/** A run's log that is put together from several answers. */
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
  /** The highest sequence number so far, or undefined for an empty log. */
  lastSequence(): number | undefined;
}

export function createEventLog(): EventLog {
  const events: RunEvent[] = [];
  const known = new Set<string>();
  let full = false;
  let terminal = false;
  let last: number | undefined;
  return {
    events,
    add: (answer) => {
      const fresh = answer.filter((event) => !known.has(identity(event)));
      const room = KEPT_EVENTS - events.length;
      for (const event of fresh.slice(0, room)) {
        events.push(event);
        known.add(identity(event));
        terminal ||= terminalStatus(event.type) !== undefined;
        last = last === undefined ? event.sequence : Math.max(last, event.sequence);
      }
      full ||= fresh.length > room;
      return fresh.length;
    },
    isFull: () => full,
    hasEnded: () => terminal,
    lastSequence: () => last,
  };
}

function identity({ sequence, eventId }: RunEvent): string {
  return `${sequence} ${eventId}`;
}
