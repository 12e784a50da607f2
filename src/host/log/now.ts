import { eventsPath } from '../../protocol/paths.ts';
import type { Exchange, HostHandle } from '../client.ts';
import { isEventStream } from '../request.ts';
import type { RunEvent } from '../run-event.ts';
import { createEventLog, type EventLog } from './event-log.ts';
import { readEventList, readPollPages } from './pages.ts';
import { openStream, type Until } from './stream.ts';

/** How a log was read that is not waited for; `problem` where it could not be read. */
interface Lists {
  /** The answer to the request for JSON. */
  readonly answer: Exchange;
  readonly problem: string | undefined;
  readonly exchanges: readonly string[];
}

/** Reads a run's log as it stands into `log`: as JSON, else by the poll endpoint. An event stream is left at its head. */
export async function readLists(handle: HostHandle, runId: string, log: EventLog): Promise<Lists> {
  const path = eventsPath(runId);
  const answer = await handle.stream(
    { method: 'GET', path, headers: { accept: 'application/json' } },
    { head: (_, headers) => (isEventStream(headers) ? 'stop' : 'read'), text: () => 'more' },
  );
  const list = readEventList(answer, path);
  if (list.ok) {
    log.add(list.events);
    return { answer, problem: undefined, exchanges: [answer.id] };
  }
  const { problem, exchanges } = await readPollPages(handle, runId, log);
  return { answer, problem: problem?.reason, exchanges: [answer.id, ...exchanges] };
}

/** A run's log as it stood at a moment; `events` is undefined where it could not be read. */
interface LogNow {
  readonly events: readonly RunEvent[] | undefined;
  readonly exchanges: readonly string[];
}

/**
 * Reads a run's log as it stands, without waiting for its end: as lists, else from the event stream up to the first event
 * that fits `until` (or the time-out, as a stream does not say that it has caught up).
 */
export async function readNow(handle: HostHandle, runId: string, until: Until): Promise<LogNow> {
  const log = createEventLog();
  const { problem, exchanges } = await readLists(handle, runId, log);
  if (problem === undefined) return { events: log.events, exchanges };
  const stream = openStream(handle, runId);
  const { exchange, isStream, reduced } = await stream.connect(until);
  const events = isStream && !reduced ? stream.log.events : undefined;
  return { events, exchanges: [...exchanges, exchange.id] };
}
