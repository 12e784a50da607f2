import { eventsPath } from '../../protocol/paths.ts';
import type { Exchange, HostHandle } from '../client.ts';
import { isReduced, readRunEvent, type RunEvent } from '../run-event.ts';
import { readConnection } from './connection.ts';
import { createEventLog, type EventLog, KEPT_EVENTS } from './event-log.ts';
import { isOfLog, isTerminal } from './shown.ts';

/** An event that a reader waits for, beside the run's end. */
export type Until = (event: RunEvent) => boolean;

/** How one connection to a run's event stream went. */
interface Connection {
  readonly exchange: Exchange;
  /** False when the answer was not an event stream at all. */
  readonly isStream: boolean;
  /** True when at least one event came in a reduced form and the full log has to be fetched. */
  readonly reduced: boolean;
  /** True when the stream was left because of the run's end. */
  readonly terminal: boolean;
  /** True when it was left because of an event that was waited for. */
  readonly reached: boolean;
  /** True when it named an event after which the next connection can go on, other than the one before. */
  readonly moved: boolean;
}

/** A run's event stream, over as many connections as it takes. */
export interface RunStream {
  /** What all connections gave. */
  readonly log: EventLog;
  /** Reads on until the terminal event, an event that is waited for, the end of the connection or the time-out. */
  connect(until: Until): Promise<Connection>;
}

/** Reads a run's event stream, in its default mode unless `path` names another; each connection resumes after the one before (wire-contract, SSE). */
export function openStream(handle: HostHandle, runId: string, path = eventsPath(runId)): RunStream {
  const log = createEventLog();
  let lastEventId: string | undefined;
  const connect: RunStream['connect'] = async (until) => {
    const from = lastEventId;
    const events: RunEvent[] = [];
    const left = { reduced: false, terminal: false, reached: false };
    const { exchange, isStream } = await readConnection(handle, path, {
      lastEventId,
      take: (message) => {
        lastEventId = message.id ?? lastEventId;
        // A notice of the stream itself is no event that came reduced.
        if (!isOfLog(message) && !isTerminal(message)) return 'more';
        const event = isReduced(message.data) ? undefined : readRunEvent(message.data);
        if (event === undefined) left.reduced = true;
        else events.push(event);
        left.reached ||= event !== undefined && until(event);
        left.terminal ||= isTerminal(message);
        return left.terminal || left.reached || left.reduced || events.length > KEPT_EVENTS ? 'done' : 'more';
      },
    });
    log.add(events);
    return { exchange, isStream, ...left, moved: lastEventId !== from };
  };
  return { log, connect };
}
