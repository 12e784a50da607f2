import { newId } from '../ids.ts';
import type { EventDraft, EventType, RunEvent } from './event.ts';
import { inLogOf, isTerminal } from './event.ts';
import type { Database, SqlRow } from './sqlite.ts';

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
  /** Deletes a run's events below a sequence number. */
  expire(runId: string, beforeSeq: number): void;
  /** Resolves with true once the run has an event after `after`, with false on abort or when the host closes. */
  changed(runId: string, after: number | undefined, signal: AbortSignal): Promise<boolean>;
  isOpen(): boolean;
  /** Refuses further events and wakes everybody who waits. */
  close(): void;
}

/** An event log on a database. `firstSequence` gives the number of a run's first event. */
export function createEventLog(database: Database, firstSequence: (runId: string) => number): EventLog {
  const table = eventTable(database);
  const waiting = new Map<string, Set<() => void>>();
  let closed = false;

  const write = (event: RunEvent): RunEvent => {
    table.insert(event);
    for (const wake of waiting.get(event.runId) ?? []) wake();
    return event;
  };

  return {
    append(runId, draft, expected) {
      const last = table.last(runId);
      if (closed || (last !== undefined && isTerminal(last.type))) return undefined;
      if (expected !== undefined && last?.sequence !== expected) return undefined;
      const { causedBy, ...said } = draft;
      const named = causedBy === undefined ? undefined : table.after(runId, -1, -1).findLast(causedBy);
      const cause = named ?? (last?.type === 'replay.diverged' ? table.lastCause(runId) : last);
      return write({
        eventId: newId('evt'),
        runId,
        sequence: last === undefined ? firstSequence(runId) : last.sequence + 1,
        ...said,
        timestamp: new Date().toISOString(),
        ...(cause === undefined ? {} : { causationId: cause.eventId }),
      });
    },
    inherit(runId, events) {
      const renamed = new Map<string, string>();
      for (const event of events) {
        const eventId = newId('evt');
        renamed.set(event.eventId, eventId);
        const cause = event.causationId === undefined ? undefined : renamed.get(event.causationId);
        const { causationId: _, ...rest } = inLogOf(runId, event);
        write({ ...rest, eventId, ...(cause === undefined ? {} : { causationId: cause }) });
      }
    },
    read: (runId, after, limit) => table.after(runId, after ?? -1, limit ?? -1),
    last: (runId) => table.last(runId),
    expire: (runId, beforeSeq) => table.expire(runId, beforeSeq),
    async changed(runId, after, signal) {
      if (closed || signal.aborted) return false;
      if ((table.last(runId)?.sequence ?? -1) > (after ?? -1)) return true;
      await nextChange(waiting, runId, signal);
      return !closed && !signal.aborted;
    },
    isOpen: () => !closed,
    close() {
      closed = true;
      for (const wakers of waiting.values()) for (const wake of wakers) wake();
    },
  };
}

/** Resolves at the run's next event, or as soon as the signal aborts; leaves nothing behind either way. */
function nextChange(waiting: Map<string, Set<() => void>>, runId: string, signal: AbortSignal): Promise<void> {
  const wakers = waiting.get(runId) ?? new Set();
  waiting.set(runId, wakers);
  return new Promise((resolve) => {
    const wake = (): void => {
      signal.removeEventListener('abort', wake);
      wakers.delete(wake);
      if (wakers.size === 0 && waiting.get(runId) === wakers) waiting.delete(runId);
      resolve();
    };
    wakers.add(wake);
    signal.addEventListener('abort', wake);
  });
}

interface EventTable {
  insert(event: RunEvent): void;
  last(runId: string): RunEvent | undefined;
  /** The last event that can be a cause: an informational report causes nothing. */
  lastCause(runId: string): RunEvent | undefined;
  after(runId: string, after: number, limit: number): RunEvent[];
  expire(runId: string, beforeSeq: number): void;
}

function eventTable(database: Database): EventTable {
  const insert = database.prepare(
    'INSERT INTO events (run_id, sequence, event_id, type, node_id, causation_id, payload, timestamp) VALUES (?, ?, ?, ?, ?, ?, ?, ?)',
  );
  const last = database.prepare('SELECT * FROM events WHERE run_id = ? ORDER BY sequence DESC LIMIT 1');
  const lastCause = database.prepare(
    "SELECT * FROM events WHERE run_id = ? AND type <> 'replay.diverged' ORDER BY sequence DESC LIMIT 1",
  );
  const after = database.prepare('SELECT * FROM events WHERE run_id = ? AND sequence > ? ORDER BY sequence LIMIT ?');
  const expire = database.prepare('DELETE FROM events WHERE run_id = ? AND sequence < ?');
  return {
    insert(event) {
      insert.run(
        event.runId,
        event.sequence,
        event.eventId,
        event.type,
        event.nodeId ?? null,
        event.causationId ?? null,
        JSON.stringify(event.payload),
        event.timestamp,
      );
    },
    last: (runId) => eventOf(last.get(runId)),
    lastCause: (runId) => eventOf(lastCause.get(runId)),
    after: (runId, sequence, limit) => after.all(runId, sequence, limit).map(fromRow),
    expire: (runId, beforeSeq) => void expire.run(runId, beforeSeq),
  };
}

function eventOf(row: SqlRow | undefined): RunEvent | undefined {
  return row === undefined ? undefined : fromRow(row);
}

/** Rows were written by `insert` above, under STRICT column types: their shape is ours. */
function fromRow(row: SqlRow): RunEvent {
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
