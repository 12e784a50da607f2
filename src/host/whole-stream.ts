import { createParser } from 'eventsource-parser';
import type { Json } from '../evidence/types.ts';
import type { HostHandle } from './client.ts';
import type { createLogReader } from './json.ts';

/** One message of an event stream: its id and event lines, and its data as JSON; null for what it lacks. */
export interface StreamMessage {
  readonly id: string | null;
  readonly name: string | null;
  readonly data: Json;
}

/** Everything that one connection said; `isStream` is false where the answer was none. */
export interface WholeStream {
  readonly isStream: boolean;
  readonly events: readonly StreamMessage[];
  readonly exchange: string;
}

/**
 * Reads one connection to an event stream to its end or to the time-out, past any terminal event: nothing may follow it
 * (wire-contract, SSE). `lastEventId` resumes after an event, `read` reads
 * all connections of one log.
 */
export async function readWholeStream(
  handle: HostHandle,
  path: string,
  {
    lastEventId,
    read,
  }: { readonly lastEventId: string | undefined; readonly read: ReturnType<typeof createLogReader> },
): Promise<WholeStream> {
  const events: StreamMessage[] = [];
  let isStream = false;
  const parser = createParser({
    onEvent: ({ id = null, event: name = null, data }) => {
      const value = read(data);
      events.push({ id, name, data: value.ok ? (value.value as Json) : null });
    },
  });
  const headers = {
    accept: 'text/event-stream',
    ...(lastEventId === undefined ? {} : { 'last-event-id': lastEventId }),
  };
  const exchange = await handle.stream(
    { method: 'GET', path, headers },
    {
      head: (status, answered) => {
        isStream = status === 200 && /^text\/event-stream\b/iu.test(answered['content-type'] ?? '');
        return isStream ? 'read' : 'stop';
      },
      text: (chunk) => {
        parser.feed(chunk);
        return 'more';
      },
    },
  );
  return { isStream, events, exchange: exchange.id };
}
