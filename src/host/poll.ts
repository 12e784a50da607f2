import { pollPath } from '../protocol/paths.ts';
import { isSuccess, saysNothing } from '../protocol/status.ts';
import type { Exchange, HostHandle } from './client.ts';
import type { EventLog } from './event-log.ts';
import { isMisnumbered, isRecord, readRunEvent, type RunEvent } from './run-event.ts';

/** An answer's events, or why there are none. */
export type EventList =
  | { readonly ok: true; readonly events: readonly RunEvent[] }
  | {
      readonly ok: false;
      readonly reason: string;
      /** The host has answered, and it may not answer otherwise a moment later. */
      readonly refused?: true;
      /** The list, where nothing but the number of an event is wrong in it. */
      readonly misnumbered?: readonly unknown[];
    };

/** Reads an answer as a list of events: a JSON array, or an object with one in `events` (wire-contract, Endpoints). */
export function readEventList(exchange: Exchange, path: string): EventList {
  if (exchange.kind === 'failure') return none(`GET ${path}: ${exchange.reason}`);
  const { status } = exchange;
  if (status !== 200) {
    const reason = `GET ${path} answered ${status}`;
    return saysNothing(status, 'action') || isSuccess(status) ? none(reason) : { ok: false, reason, refused: true };
  }
  if (!exchange.json.ok) return none(`GET ${path}: ${exchange.json.message}`);
  const { value } = exchange.json;
  const list = isRecord(value) ? value['events'] : value;
  if (!Array.isArray(list)) return none(`GET ${path} gave no list of events`);
  const events = list.map(readRunEvent);
  const wrong = events.indexOf(undefined);
  if (wrong !== -1) {
    const reason = `GET ${path}: /events/${wrong} is no event`;
    const isNumbersOnly = list.every((each, index) => events[index] !== undefined || isMisnumbered(each));
    return isNumbersOnly ? { ok: false, reason: `${reason}: its number is none`, misnumbered: list } : none(reason);
  }
  return { ok: true, events: events.filter((event) => event !== undefined) };
}

function none(reason: string): EventList {
  return { ok: false, reason };
}

/** Pages that are read in one go; the rest waits for the next turn of the poll. */
const PAGES = 20;
/** The cursor's names: the protocol's own, and the one that some hosts know instead. */
const CURSORS = ['lastSequence', 'since'] as const;

/**
 * Reads the poll endpoint on from where `log` ends, as long as each page brings something new and the run's end is not
 * among it (wire-contract, SSE: the cursor is exclusive, and the start is read without one). Returns the evidence, and
 * why a page could not be read.
 */
export async function readPollPages(
  handle: HostHandle,
  runId: string,
  log: EventLog,
): Promise<{ readonly exchanges: readonly string[]; readonly problem?: Extract<EventList, { readonly ok: false }> }> {
  const exchanges: string[] = [];
  const path = pollPath(runId);
  const readPage = async (query: string): Promise<EventList> => {
    const exchange = await handle.exchange({ method: 'GET', path: path + query });
    exchanges.push(exchange.id);
    return readEventList(exchange, path);
  };
  for (let page = 0; page < PAGES && !log.hasEnded() && !log.isFull(); page += 1) {
    let added = 0;
    for (const query of cursors(log.lastSequence())) {
      const list = await readPage(query);
      if (!list.ok) return { exchanges, problem: list };
      added = log.add(list.events);
      if (added > 0 || list.events.length === 0) break;
    }
    if (added === 0) break;
  }
  return { exchanges };
}

/** A host that repeats what is known already does not know the cursor by this name. */
function cursors(lastSequence: number | undefined): readonly string[] {
  return lastSequence === undefined ? [''] : CURSORS.map((name) => `?${name}=${lastSequence}`);
}
