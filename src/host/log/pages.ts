import { cut } from '../../evidence/cut.ts';
import { pollPath } from '../../protocol/paths.ts';
import { isForAnotherTime, isSuccess } from '../../protocol/status.ts';
import type { Exchange, HostHandle } from '../client.ts';
import { answerText } from '../exchanged.ts';
import type { EventLog } from './event-log.ts';
import { isMisnumbered, isRecord, isUnnamed, readRunEvent, type RunEvent } from '../run-event.ts';

/** What one answer holds of a log, or why there is nothing. */
type Listed<T> = { readonly ok: true; readonly events: readonly T[] } | Refusal;

/** Why an answer holds nothing of a log. */
export interface Refusal {
  readonly ok: false;
  readonly reason: string;
  /** The host has answered, and it may not answer otherwise a moment later. */
  readonly refused?: true;
  /** The way has never answered at this host. */
  readonly mute?: true;
  /** The list, where nothing but the numbers, ids or types of its events are wrong in it. */
  readonly unfit?: readonly unknown[];
}

/** Reads an answer as a list of whatever it holds: a JSON array, or an object with one in `events` (wire-contract, Endpoints). */
export function readPage(exchange: Exchange, path: string): Listed<unknown> {
  if (exchange.kind === 'failure') {
    const reason = `GET ${path}: ${answerText(exchange)}`;
    if (exchange.mute === true) return { ok: false, reason, mute: true };
    return exchange.reason === 'encoded' ? { ok: false, reason, refused: true } : none(reason);
  }
  const { status } = exchange;
  if (status !== 200) {
    const reason = `GET ${path} answered ${answerText(exchange)}`;
    return isSuccess(status) || isForAnotherTime(status) ? none(reason) : { ok: false, reason, refused: true };
  }
  if (!exchange.json.ok) return none(`GET ${path}: ${exchange.json.message}`);
  const { value } = exchange.json;
  const events = isRecord(value) ? value['events'] : value;
  return Array.isArray(events) ? { ok: true, events } : none(`GET ${path} gave no list of events`);
}

/** Whether an answer shows its events, and not as a list: null, or an object of objects. Who offers no such answer says nothing of events, or where they are. */
export function holdsNoList(exchange: Exchange): boolean {
  if (exchange.kind !== 'response' || exchange.status !== 200 || !exchange.json.ok) return false;
  const { value } = exchange.json;
  const events = isRecord(value) ? value['events'] : undefined;
  return events === null || (isRecord(events) && Object.values(events).some(isRecord));
}

/** Whether a list says of itself that it is the first part of a longer one: by a link, beside its events, or in an object beside them. */
export function saysMore(exchange: Exchange): boolean {
  if (exchange.kind !== 'response') return false;
  if (/;\s*rel="?next"?(?:$|[\s,;])/iu.test(exchange.headers['link'] ?? '')) return true;
  const page = exchange.json.ok ? exchange.json.value : undefined;
  if (!isRecord(page)) return false;
  const { events, ...beside } = page;
  const count = Array.isArray(events) ? events.length : 0;
  return [beside, ...Object.values(beside).flat()].some((each) => isRecord(each) && announcesMore(each, count));
}

function announcesMore(about: Readonly<Record<string, unknown>>, count: number): boolean {
  if (about['isComplete'] === false || about['isTerminal'] === false || about['hasMore'] === true) return true;
  // A cursor, a link, a number or a count, under whatever name: the protocol has none.
  if (about['rel'] === 'next' || Number(about['total']) > count) return true;
  return Object.entries(about).some(([name, value]) => /^next/iu.test(name) && Boolean(value));
}

/** What a poll's answer says of an end, and by which member (wire-contract, Endpoints). */
export interface SaidOver {
  readonly name: 'isTerminal' | 'isComplete';
  readonly over: boolean;
}

/** What a poll's answer says: whether the run is over. Undefined where it says nothing of that. */
export function saysOver(exchange: Exchange): SaidOver | undefined {
  const page = exchange.kind === 'response' && exchange.status === 200 && exchange.json.ok ? exchange.json.value : {};
  if (!isRecord(page)) return undefined;
  for (const name of ['isTerminal', 'isComplete'] as const) {
    const over = page[name];
    if (typeof over === 'boolean') return { name, over };
  }
  return undefined;
}

/** Reads an answer as a list of events: one that holds anything else is none. */
export function readEventList(exchange: Exchange, path: string): Listed<RunEvent> {
  const page = readPage(exchange, path);
  if (!page.ok) return page;
  const events = page.events.map(readRunEvent);
  const wrong = events.indexOf(undefined);
  if (wrong !== -1) {
    const fault = faultIn(page.events[wrong]);
    const reason = `GET ${path}: /events/${wrong} is no event${fault === undefined ? '' : `: ${fault}`}`;
    const isKnown = page.events.every((each, index) => events[index] !== undefined || faultIn(each) !== undefined);
    return isKnown ? { ok: false, reason, unfit: page.events } : none(reason);
  }
  return { ok: true, events: events.filter((event) => event !== undefined) };
}

/** Characters that are shown of a number that is none. */
const SHOWN = 60;

/** What alone keeps a value from being an event. */
function faultIn(value: unknown): string | undefined {
  if (!isRecord(value)) return undefined;
  if (isMisnumbered(value)) {
    const { sequence } = value;
    return sequence === undefined
      ? 'it has no sequence'
      : `its sequence is ${cut(JSON.stringify(sequence), SHOWN)}, no whole number from 0`;
  }
  if (!isUnnamed(value)) return undefined;
  const name = typeof value['eventId'] === 'string' ? 'type' : 'eventId';
  const is = value[name] ?? undefined;
  return is === undefined
    ? `it has no ${name}`
    : `its ${name} is a JSON ${Array.isArray(is) ? 'array' : typeof is}, not a string`;
}

function none(reason: string): Refusal {
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
): Promise<{ readonly exchanges: readonly string[]; readonly problem?: Refusal }> {
  const exchanges: string[] = [];
  const path = pollPath(runId);
  for (let page = 0; page < PAGES && !log.hasEnded() && !log.isFull(); page += 1) {
    let added = 0;
    const last = log.lastSequence();
    for (const query of last === undefined ? [''] : cursorsAt(last)) {
      const exchange = await handle.exchange({ method: 'GET', path: path + query });
      exchanges.push(exchange.id);
      const list = readEventList(exchange, path);
      if (!list.ok) return { exchanges, problem: list };
      added = log.add(list.events);
      if (added > 0 || list.events.length === 0) break;
    }
    if (added === 0) break;
  }
  return { exchanges };
}

/** The cursor under each of its names: a host that begins before it, or repeats what is known, does not know it by that name. */
export function cursorsAt(sequence: number): readonly string[] {
  return CURSORS.map((name) => `?${name}=${sequence}`);
}
