import { createParser } from 'eventsource-parser';
import { eventsPath } from '../protocol/paths.ts';
import type { Exchange, HostHandle } from './client.ts';
import { KEPT_EVENTS } from './event-log.ts';
import { createLogReader } from './json.ts';
import { isRecord, readRunEvent, terminalStatus, type RunEvent } from './run-event.ts';

/** What one connection to a run's event stream gave. */
export interface StreamPart {
  readonly exchange: Exchange;
  /** False when the answer was not an event stream at all. */
  readonly isStream: boolean;
  readonly events: readonly RunEvent[];
  /** True when at least one event came in a reduced form and the full log has to be fetched. */
  readonly reduced: boolean;
  readonly lastEventId: string | undefined;
  readonly terminal: boolean;
  /** True when the stream was left because of an event that was waited for. */
  readonly reached: boolean;
}

/** An event that a reader waits for, beside the run's end. */
export type Until = (event: RunEvent) => boolean;

/**
 * Follows a run's SSE stream until its terminal event, an event that is waited for, the end of the connection or the time-out; `lastEventId` resumes
 * after an earlier connection (wire-contract, SSE).
 */
export async function readEventStream(
  handle: HostHandle,
  runId: string,
  { lastEventId, until }: { readonly lastEventId: string | undefined; readonly until: Until },
): Promise<StreamPart> {
  const events: RunEvent[] = [];
  const state = { isStream: false, reduced: false, terminal: false, reached: false, lastEventId };
  const read = createLogReader();
  const parser = createParser({
    onEvent: (message) => {
      if (message.id !== undefined) state.lastEventId = message.id;
      const data = read(message.data);
      const event = data.ok ? readRunEvent(data.value) : undefined;
      if (event === undefined) state.reduced = true;
      else events.push(event);
      if (event !== undefined && until(event)) state.reached = true;
      const type = event?.type ?? typeOf(data.ok ? data.value : undefined) ?? message.event;
      if (type !== undefined && terminalStatus(type) !== undefined) state.terminal = true;
    },
  });
  const exchange = await handle.stream(
    {
      method: 'GET',
      path: eventsPath(runId),
      headers: {
        accept: 'text/event-stream',
        ...(lastEventId === undefined ? {} : { 'last-event-id': lastEventId }),
      },
    },
    {
      head: (status, headers) => {
        state.isStream = status === 200 && /^text\/event-stream\b/iu.test(headers['content-type'] ?? '');
        return 'read';
      },
      text: (chunk) => {
        if (state.isStream) parser.feed(chunk);
        return state.terminal || state.reached || state.reduced || events.length > KEPT_EVENTS ? 'done' : 'more';
      },
    },
  );
  return { exchange, events, ...state };
}

function typeOf(value: unknown): string | undefined {
  return isRecord(value) && typeof value['type'] === 'string' ? value['type'] : undefined;
}
