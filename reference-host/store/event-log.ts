import { newId } from '../ids.ts';
import { inLogOf, isTerminal, type EventDraft, type EventType, type RunEvent } from './event.ts';
import type { Row, Tables } from './tables.ts';
import type { Wakers } from './wakers.ts';

/** The events of every run: append-only, the only authority about what happened. */
export interface EventLog {
  /**
   * Writes the next event of a run and returns it; undefined when the run has ended or the host is closing, or when the
   * log's last event is not the one with the number `last`, where that is given.
   */
  append(runId: string, draft: EventDraft, last?: number): RunEvent | undefined;
  /** Writes another run's first events as the fixed history of `runId`: own identities, everything else as it was. */
  inherit(runId: string, events: readonly RunEvent[]): void;
  /** The events after a sequence number (exclusive; undefined reads from the start), at most `limit` of them. */
  read(runId: string, after?: number, limit?: number): RunEvent[];
  last(runId: string): RunEvent | undefined;
  /** Whether the log has its terminal event. */
  hasEnded(runId: string): boolean;
  /** Deletes a run's events below a sequence number. */
  expire(runId: string, beforeSeq: number): void;
  /**
   * Resolves with true once the run has an event after `after`, with false on abort or when the host closes. It may be a
   * false alarm: look before you believe it.
   */
  changed(runId: string, after: number | undefined, signal: AbortSignal): Promise<boolean>;
  /** Tells those who wait for the run that there is something to look at beside its events. */
  wake(runId: string): void;
  isOpen(): boolean;
  /** Refuses further events and wakes everybody who waits. */
  close(): void;
}

export interface EventLogParts {
  /** The number of a run's first event. */
  readonly firstSequence: (runId: string) => number;
  /** The wall clock, in milliseconds since 1970. */
  readonly now: () => number;
  readonly wakers: Wakers;
  /** Looks and writes in one step, where others may write as well. */
  readonly fenced: <T>(work: () => T) => T;
}

/** An event log in a store's tables. */
export function createEventLog(tables: Tables, { firstSequence, now, wakers, fenced }: EventLogParts): EventLog {
  const table = eventTable(tables);
  let closed = false;

  const write = (event: RunEvent): RunEvent => {
    table.insert(event);
    wakers.wake(event.runId);
    return event;
  };
  const hasEnded = (runId: string): boolean => {
    const last = table.last(runId);
    return last !== undefined && isTerminal(last.type);
  };
  const append: EventLog['append'] = (runId, draft, expected) => {
    const last = table.last(runId);
    if (last !== undefined && isTerminal(last.type)) return undefined;
    if (expected !== undefined && last?.sequence !== expected) return undefined;
    const { causedBy, ...said } = draft;
    const named = causedBy === undefined ? undefined : table.after(runId, -1).findLast(causedBy);
    const cause = named ?? (last?.type === 'replay.diverged' ? table.lastCause(runId) : last);
    return write({
      eventId: newId('evt', now()),
      runId,
      sequence: last === undefined ? firstSequence(runId) : last.sequence + 1,
      ...said,
      timestamp: new Date(now()).toISOString(),
      ...(cause === undefined ? {} : { causationId: cause.eventId }),
    });
  };

  return {
    append: (runId, draft, last) => (closed ? undefined : fenced(() => append(runId, draft, last))),
    inherit(runId, events) {
      const renamed = new Map<string, string>();
      for (const event of events) {
        const eventId = newId('evt', now());
        renamed.set(event.eventId, eventId);
        const cause = event.causationId === undefined ? undefined : renamed.get(event.causationId);
        const { causationId: _, ...rest } = inLogOf(runId, event);
        write({ ...rest, eventId, ...(cause === undefined ? {} : { causationId: cause }) });
      }
    },
    read: (runId, after, limit) => table.after(runId, after ?? -1, limit),
    last: (runId) => table.last(runId),
    hasEnded,
    expire: (runId, beforeSeq) => table.expire(runId, beforeSeq),
    async changed(runId, after, signal) {
      if (closed || signal.aborted) return false;
      if ((table.last(runId)?.sequence ?? -1) > (after ?? -1)) return true;
      await wakers.wait(runId, signal);
      return !closed && !signal.aborted;
    },
    wake: (runId) => wakers.wake(runId),
    isOpen: () => !closed,
    close() {
      closed = true;
      wakers.wakeAll();
    },
  };
}

interface EventTable {
  insert(event: RunEvent): void;
  last(runId: string): RunEvent | undefined;
  /** The last event that can be a cause: an informational report causes nothing. */
  lastCause(runId: string): RunEvent | undefined;
  after(runId: string, after: number, limit?: number): RunEvent[];
  expire(runId: string, beforeSeq: number): void;
}

function eventTable({ table }: Tables): EventTable {
  const events = table('events');
  const read = new WeakMap<Row, RunEvent>();
  /** A row in memory is the same one each time, until it is changed: it is read once. */
  const fromRow = (row: Row): RunEvent => {
    const event = read.get(row) ?? eventOf(row);
    read.set(row, event);
    return event;
  };
  return {
    insert({ runId, sequence, eventId, type, nodeId, causationId, payload, timestamp }) {
      const place = { run_id: runId, sequence, event_id: eventId, type };
      const links = { node_id: nodeId ?? null, causation_id: causationId ?? null };
      events.insert({ ...place, ...links, payload: JSON.stringify(payload), timestamp });
    },
    last: (runId) => events.select({ run_id: runId }, { backwards: true, limit: 1 }).map(fromRow)[0],
    lastCause(runId) {
      const rows = events.select({ run_id: runId }, { backwards: true });
      const row = rows.find(({ type }) => type !== 'replay.diverged');
      return row === undefined ? undefined : fromRow(row);
    },
    after: (runId, above, limit) =>
      events.select({ run_id: runId }, { above, ...(limit === undefined ? {} : { limit }) }).map(fromRow),
    expire: (runId, beforeSeq) => void events.remove({ run_id: runId }, beforeSeq),
  };
}

/** Rows were written by `insert` above: their shape is ours. */
function eventOf(row: Row): RunEvent {
  const payload: unknown = JSON.parse(String(row['payload']));
  return {
    eventId: String(row['event_id']),
    runId: String(row['run_id']),
    sequence: Number(row['sequence']),
    type: String(row['type']) as EventType,
    payload,
    timestamp: String(row['timestamp']),
    ...(row['node_id'] === null ? {} : { nodeId: String(row['node_id']) }),
    ...(row['causation_id'] === null ? {} : { causationId: String(row['causation_id']) }),
  };
}
