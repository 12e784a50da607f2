import { createParser, type EventSourceMessage } from 'eventsource-parser';
import type { Json } from '../../evidence/types.ts';
import type { Exchange, HostHandle, JsonReading } from '../client.ts';
import { createLogReader } from '../json.ts';
import { isEventStream } from '../request.ts';
import type { Shown } from './shown.ts';

/** Connections to one run's event stream: one that was dropped, or that the host ended before the run's end, is resumed. */
export const CONNECTIONS = 50;
/** How many of them may take a whole time-out. */
const WAITS = 5;

/** How one connection to an event stream is read. */
interface Connecting {
  /** The id of the event after which the stream goes on (wire-contract, SSE); undefined for the start. */
  readonly lastEventId?: string | undefined;
  /** Gets each message as it comes; the stream is left where it says `done`. */
  readonly take: (message: Shown) => 'more' | 'done';
  /** Reads the data of all connections to one log: together they hold no more values than one log may. */
  readonly read?: ReturnType<typeof createLogReader>;
}

/** How one connection went. */
interface Connected {
  readonly isStream: boolean;
  /** Whether it broke, or was left for a bound of ours, before the host ended it or its reader had enough. */
  readonly isCut: boolean;
  readonly exchange: Exchange;
}

/**
 * Reads one connection to an event stream, until its reader has enough, the host ends it or the time is up. An answer that
 * is no stream, which `isStream` says, is read as a whole.
 */
export async function readConnection(
  handle: HostHandle,
  path: string,
  { lastEventId, take, read = createLogReader() }: Connecting,
): Promise<Connected> {
  let isStream = false;
  let isEnough = false;
  const parser = createStreamParser(({ id = null, event: name = null, data }) => {
    const value = read(data);
    const next = take({ id, name, data: shownIn(value) });
    isEnough ||= next === 'done';
  });
  const resuming = lastEventId === undefined ? {} : { 'last-event-id': lastEventId };
  const exchange = await handle.stream(
    { method: 'GET', path, headers: { accept: 'text/event-stream', ...resuming } },
    {
      head: (status, headers) => {
        isStream = status === 200 && isEventStream(headers);
        return 'read';
      },
      text: (chunk) => {
        if (isStream) parser.feed(chunk);
        return isEnough ? 'done' : 'more';
      },
    },
  );
  return { isStream, isCut: exchange.kind === 'failure' || exchange.cut === true, exchange };
}

/** What a message's data says; the fault itself where it is no JSON. */
function shownIn(value: JsonReading): Json {
  if (value.ok) return value.value as Json;
  return value.why === 'malformed-json' ? value.message.replace('the body is ', '') : null;
}

/**
 * Reads an event stream over as many connections as it takes, each resumed behind the last id of the one before, until
 * `isEnough`, or one brings no news. `isStream` says whether the first one was a stream, `isCut` how the last one went.
 */
export async function readConnections(
  handle: HostHandle,
  path: string,
  { lastEventId, take, read, isEnough }: Connecting & { readonly isEnough: () => boolean },
): Promise<Omit<Connected, 'exchange'> & { readonly exchanges: readonly [Exchange, ...Exchange[]] }> {
  let last = lastEventId;
  const next = (): ReturnType<typeof readConnection> => {
    const noting = (message: Shown) => {
      last = message.id ?? last;
      return take(message);
    };
    return readConnection(handle, path, { lastEventId: last, take: noting, ...(read !== undefined && { read }) });
  };
  const first = await next();
  const { isStream } = first;
  const exchanges: [Exchange, ...Exchange[]] = [first.exchange];
  let { isCut } = first;
  if (!isStream) return { isStream, isCut, exchanges };
  let from = lastEventId;
  while (!isEnough() && last !== from && exchanges.length < CONNECTIONS) {
    if (exchanges.filter(isTimedOut).length >= WAITS) break;
    from = last;
    const again = await next();
    exchanges.push(again.exchange);
    ({ isCut } = again);
    if (!again.isStream) break;
  }
  return { isStream, isCut, exchanges };
}

function isTimedOut(exchange: Exchange): boolean {
  return exchange.kind === 'failure' && exchange.reason === 'timeout';
}

/**
 * Reads the text of an event stream, in whatever pieces it comes. A line ends with CR, LF or both, and a CR that is the last of what
 * has come ends its line at once: whoever waits for the next piece would miss the last event.
 */
export function createStreamParser(onEvent: (message: EventSourceMessage) => void): { feed(text: string): void } {
  const parser = createParser({ onEvent });
  let isAfterReturn = false;
  return {
    feed: (text) => {
      const own = isAfterReturn && text.startsWith('\n') ? text.slice(1) : text;
      if (text !== '') isAfterReturn = text.endsWith('\r');
      parser.feed(own.replaceAll(/\r\n?/gu, '\n'));
    },
  };
}
