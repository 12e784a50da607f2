import type { HostHandle } from '../../src/host/client.ts';
import { createEventLog } from '../../src/host/event-log.ts';
import { readEventStream, type Until } from '../../src/host/event-stream.ts';
import { readEventList, readPollPages } from '../../src/host/poll.ts';
import type { RunEvent } from '../../src/host/run-event.ts';
import { eventsPath } from '../../src/protocol/paths.ts';

/** A run's log as it stood at a moment; `events` is undefined where it could not be read. */
export interface LogNow {
  readonly events: readonly RunEvent[] | undefined;
  readonly exchanges: readonly string[];
}

/**
 * Reads a run's log as it stands, without waiting for its end: as JSON, else by the poll endpoint, else from the event
 * stream up to the first event that fits `until` (or the time-out, as a stream does not say that it has caught up).
 */
export async function readNow(handle: HostHandle, runId: string, until: Until): Promise<LogNow> {
  const path = eventsPath(runId);
  const listed = await handle.stream(
    { method: 'GET', path, headers: { accept: 'application/json' } },
    { head: (_, headers) => (isStream(headers) ? 'stop' : 'read'), text: () => 'more' },
  );
  const list = readEventList(listed, path);
  if (list.ok) return { events: list.events, exchanges: [listed.id] };
  const log = createEventLog();
  const pages = await readPollPages(handle, runId, log);
  const exchanges = [listed.id, ...pages.exchanges];
  if (pages.problem === undefined) return { events: log.events, exchanges };
  const part = await readEventStream(handle, runId, { lastEventId: undefined, until });
  const events = part.isStream && !part.reduced ? part.events : undefined;
  return { events, exchanges: [...exchanges, part.exchange.id] };
}

function isStream(headers: Readonly<Record<string, string>>): boolean {
  return /^text\/event-stream\b/iu.test(headers['content-type'] ?? '');
}
