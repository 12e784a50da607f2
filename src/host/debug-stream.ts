import { createParser } from 'eventsource-parser';
import { eventsPath } from '../protocol/paths.ts';
import type { Exchange, HostHandle } from './client.ts';
import { createLogReader } from './json.ts';
import { readEventList } from './poll.ts';
import { isRecord, readRunEvent, terminalStatus, type RunEvent } from './run-event.ts';

/** What the stream mode `debug` showed of a run. */
export interface DebugReading {
  /** The last answer's status; null where there was none. */
  readonly answered: number | null;
  /** The types of all events, in order, reduced ones too. */
  readonly types: readonly string[];
  /** The events that came whole. */
  readonly events: readonly RunEvent[];
  /** True when the reading holds the run's end. */
  readonly complete: boolean;
  readonly exchanges: readonly string[];
}

/**
 * Reads a run that has ended in the stream mode `debug`: as an event stream, else as JSON (wire-contract, SSE). A stream
 * may be reduced to types and sequence numbers.
 */
export async function readDebugStream(handle: HostHandle, runId: string): Promise<DebugReading> {
  const path = `${eventsPath(runId)}?streamMode=debug`;
  const streamed = await byStream(handle, path);
  if (streamed.isStream) return streamed.reading;
  const listed = readListed(streamed.exchange, path);
  if (listed !== undefined) return listed;
  const exchange = await handle.exchange({ method: 'GET', path, headers: { accept: 'application/json' } });
  const exchanges = [streamed.exchange.id, exchange.id];
  const nothing = { answered: statusOf(exchange), types: [], events: [], complete: false };
  return { ...(readListed(exchange, path) ?? nothing), exchanges };
}

async function byStream(
  handle: HostHandle,
  path: string,
): Promise<{ readonly isStream: boolean; readonly exchange: Exchange; readonly reading: DebugReading }> {
  const types: string[] = [];
  const events: RunEvent[] = [];
  let isStream = false;
  let complete = false;
  const read = createLogReader();
  const parser = createParser({
    onEvent: (message) => {
      const data = read(message.data);
      const value = data.ok ? data.value : undefined;
      const event = readRunEvent(value);
      if (event !== undefined) events.push(event);
      const type = event?.type ?? typeOf(value) ?? message.event;
      if (type === undefined) return;
      types.push(type);
      complete ||= terminalStatus(type) !== undefined;
    },
  });
  const exchange = await handle.stream(
    { method: 'GET', path, headers: { accept: 'text/event-stream' } },
    {
      head: (status, headers) => {
        isStream = status === 200 && /^text\/event-stream\b/iu.test(headers['content-type'] ?? '');
        return 'read';
      },
      text: (chunk) => {
        if (isStream) parser.feed(chunk);
        return complete ? 'done' : 'more';
      },
    },
  );
  const reading = { answered: statusOf(exchange), types, events, complete, exchanges: [exchange.id] };
  return { isStream, exchange, reading };
}

function readListed(exchange: Exchange, path: string): DebugReading | undefined {
  const list = readEventList(exchange, path);
  if (!list.ok) return undefined;
  const types = list.events.map(({ type }) => type);
  const complete = types.some((type) => terminalStatus(type) !== undefined);
  return { answered: statusOf(exchange), types, events: list.events, complete, exchanges: [exchange.id] };
}

function statusOf(exchange: Exchange): number | null {
  return exchange.kind === 'response' ? exchange.status : null;
}

function typeOf(value: unknown): string | undefined {
  return isRecord(value) && typeof value['type'] === 'string' ? value['type'] : undefined;
}
