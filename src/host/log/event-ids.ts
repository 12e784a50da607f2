import type { Exchange } from '../client.ts';
import { createLogReader } from '../json.ts';
import { isEventStream } from '../request.ts';
import { isRecord } from '../run-event.ts';
import { createStreamParser } from './connection.ts';
import { readPage } from './pages.ts';

/** Ids that are kept of one answer. */
const KEPT_IDS = 200;
/** Longer ones are none. */
const LONGEST_ID = 256;

/** The ids of the events in an answer: a list, or a stream that has ended. */
export function eventIdsIn(exchange: Exchange): readonly string[] {
  if (exchange.kind === 'failure') return [];
  const page = readPage(exchange, '');
  const events: unknown[] = page.ok ? page.events.slice(0, KEPT_IDS) : [];
  const read = createLogReader();
  const parser = createStreamParser(({ data }) => {
    const value = events.length < KEPT_IDS ? read(data) : undefined;
    if (value?.ok === true) events.push(value.value);
  });
  if (isEventStream(exchange.headers)) parser.feed(exchange.text);
  const ids = events.map((event) =>
    isRecord(event) && Object.hasOwn(event, 'eventId') ? event['eventId'] : undefined,
  );
  return ids.filter((id): id is string => typeof id === 'string' && id.length <= LONGEST_ID);
}
