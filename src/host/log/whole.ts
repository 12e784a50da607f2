import type { Json } from '../../evidence/types.ts';
import { debugPath, eventsPath, pollPath } from '../../protocol/paths.ts';
import { isClientError, isForAnotherTime, isNoRoute } from '../../protocol/status.ts';
import type { Exchange } from '../client.ts';
import { createLogReader } from '../json.ts';
import { untilCaughtUp } from '../late.ts';
import type { Probe } from '../probe.ts';
import { readConnection, readConnections } from './connection.ts';
import { cursorsAt, holdsNoList, readPage, saysMore, saysOver, type SaidOver } from './pages.ts';
import { isOfLog, isTerminal, sequenceOf, type Shown } from './shown.ts';

/** The ways in which a run's log can be read (wire-contract, Events). */
export const TRANSPORTS = ['sse', 'json', 'poll'] as const;
export type Transport = (typeof TRANSPORTS)[number];

/** Which run that has ended, but where it is said that it goes on, and the event to resume after: the cursor of a poll, the id of a stream. */
interface Wanted {
  readonly runId: string;
  readonly goesOn?: boolean;
  readonly after?: { readonly sequence: number; readonly id: string };
}

/** A log as one transport showed it: whatever stands there, whether it is an event or not. */
export interface WholeLog {
  /** A stream of the default mode may leave types out (wire-contract, SSE). */
  readonly partial: boolean;
  /** There where an answer failed, or said that there is more, before the log's end was shown: whatever follows was not seen. */
  readonly cut?: true;
  /** There where the host did not end a stream that had shown the log's end, until its time was up or it failed. */
  readonly open?: true;
  /** What the last answer of a poll says: whether the run is over. */
  readonly over?: boolean;
  readonly events: readonly Shown[];
  readonly exchanges: readonly string[];
}

type Driving = Pick<Probe, 'host' | 'signal' | 'standstill'>;
type Read = Omit<WholeLog, 'partial'> | undefined;

/**
 * Reads the log of a run that has ended once over a transport, past its terminal event: nothing may follow it. Undefined
 * where the host does not offer the transport, or no cursor there: a list need know none, the poll endpoint does.
 */
export async function readWhole(driving: Driving, transport: Transport, wanted: Wanted): Promise<WholeLog | undefined> {
  if (transport === 'poll') return withPartial(await readPolled(driving, wanted), false);
  const read = transport === 'sse' ? readStreamed : readListed;
  return (
    withPartial(await read(driving, wanted, debugPath(wanted.runId)), false) ??
    withPartial(await read(driving, wanted, eventsPath(wanted.runId)), true)
  );
}

/**
 * Asks a transport that showed no log once more, and gives the exchange where it has no answer of its own: one that is not offered
 * is refused, or answered in another way.
 */
export async function unansweredBy(
  { host }: Pick<Driving, 'host'>,
  transport: Transport,
  runId: string,
): Promise<string | undefined> {
  const path = transport === 'poll' ? pollPath(runId) : eventsPath(runId);
  const accept = transport === 'sse' ? 'text/event-stream' : 'application/json';
  const exchange = await host.exchange({ method: 'GET', path, headers: { accept } });
  const isBroken = exchange.kind === 'failure' || (exchange.status >= 500 && exchange.status !== 501);
  return isBroken ? exchange.id : undefined;
}

/**
 * Reads a run's event stream in its default mode up to its end; undefined where there is none. The run may go on meanwhile:
 * whoever waits for its reader is called with the first message, and the stream is read until the host closes it.
 */
export async function readStream(
  { host }: Pick<Driving, 'host'>,
  runId: string,
  onFirst?: (first: Shown) => void,
): Promise<WholeLog | undefined> {
  let begin = onFirst;
  const onMessage = (message: Shown): 'more' | 'done' => {
    begin?.(message);
    begin = undefined;
    return onFirst === undefined && isTerminal(message) ? 'done' : 'more';
  };
  return withPartial(await streamed(host, eventsPath(runId), { onMessage }), true);
}

function readStreamed({ host }: Driving, { after }: Wanted, path: string): Promise<Read> {
  return streamed(host, path, { lastEventId: after?.id, onMessage: () => 'more' });
}

/** The events of a stream, which is left where `onMessage` says so. */
async function streamed(
  host: Probe['host'],
  path: string,
  how: { readonly lastEventId?: string | undefined; readonly onMessage: (message: Shown) => 'more' | 'done' },
): Promise<Read> {
  const events: Shown[] = [];
  const { isStream, isCut, exchanges } = await readConnections(host, path, {
    lastEventId: how.lastEventId,
    read: createLogReader(),
    take: (message) => {
      if (isOfLog(message)) events.push(message);
      return how.onMessage(message);
    },
    isEnough: () => events.some(isTerminal),
  });
  if (!isStream) return undefined;
  const isOpen = isCut && events.some(isTerminal);
  const ids = exchanges.map(({ id }) => id);
  return { events, exchanges: ids, ...cutOff(isCut, events), ...(isOpen && { open: true }) };
}

/**
 * Reads the first event of a run's event stream that is resumed after one, in its default mode; undefined where there is no stream, or
 * none comes.
 */
export async function readFirstAfter(
  { host }: Pick<Driving, 'host'>,
  runId: string,
  lastEventId: string,
): Promise<WholeLog | undefined> {
  const events: Shown[] = [];
  const { exchange } = await readConnection(host, eventsPath(runId), {
    lastEventId,
    take: (message) => {
      if (isOfLog(message) && events.length === 0) events.push(message);
      return events.length > 0 ? 'done' : 'more';
    },
  });
  return events.length === 0 ? undefined : { partial: true, cut: true, events, exchanges: [exchange.id] };
}

/** A log that shows its end was read whole, however its stream ended: one may stay open. */
function cutOff(isCut: boolean, events: readonly Shown[]): { readonly cut?: true } {
  return isCut && !events.some(isTerminal) ? { cut: true } : {};
}

function withPartial(read: Read, partial: boolean): WholeLog | undefined {
  return read && { partial, ...read };
}

async function readListed(driving: Driving, { after, goesOn: isOpen = false }: Wanted, path: string): Promise<Read> {
  const resuming = after === undefined ? {} : { 'last-event-id': after.id };
  const exchanges: string[] = [];
  const readOnce = async () => {
    const read = await readShown(driving.host, path, resuming);
    exchanges.push(read.exchange.id);
    return read;
  };
  const { events, exchange } =
    after === undefined && !isOpen
      ? await untilCaughtUp(driving, 'json', { read: readOnce, isBehind: (read) => isWithoutEnd(read.events) })
      : await readOnce();
  const goesOn = after === undefined || (events !== undefined && startsAt(events, after.sequence));
  return goesOn ? events && { events, exchanges, ...cutOff(saysMore(exchange), events) } : undefined;
}

/** Whether a list does not show the end of its run yet. */
function isWithoutEnd(events: readonly Shown[] | undefined): boolean {
  return events?.some(isTerminal) === false;
}

/** Pages of a log of which each brings something new. */
const PAGES = 1000;

async function readPolled(driving: Driving, { runId, after, goesOn = false }: Wanted): Promise<Read> {
  const { host, signal } = driving;
  const exchanges: string[] = [];
  const path = pollPath(runId);
  let [isCut, isBroken] = [false, false];
  const said: (SaidOver | undefined)[] = [];
  const pageAt = async (query: string): Promise<readonly Shown[] | undefined> => {
    const { exchange, events } = await readShown(host, path + query);
    exchanges.push(exchange.id);
    isCut = isLost(exchange);
    said.push(saysOver(exchange));
    const page = events ?? (said.at(-1) === undefined ? undefined : []);
    isBroken ||= page === undefined && exchange.kind === 'response' && !isRefused(exchange.status);
    return page;
  };
  // Where the endpoint goes on behind the cursor under none of its names, the answer that comes nearest to it; none where a name that it
  // may know is answered with a failure, and no other is seen to be known.
  const pageAfter = async (sequence: number): Promise<readonly Shown[] | undefined> => {
    let kept: readonly Shown[] | undefined;
    let keptSaid: SaidOver | undefined;
    isBroken = false;
    for (const query of cursorsAt(sequence)) {
      const events = await pageAt(query);
      if (isCut || (events !== undefined && startsAt(events, sequence + 1))) return events;
      const saidHere = said.pop();
      if (kept !== undefined && (startsAt(kept, sequence) || !startsAt(events ?? [], sequence))) continue;
      [kept, keptSaid] = [events, saidHere];
    }
    said.push(keptSaid);
    return isBroken && !startsAt(kept ?? [], sequence) ? undefined : kept;
  };
  const onFrom = async (first: readonly Shown[] | undefined): Promise<readonly Shown[] | undefined> => {
    const events = [...(first ?? [])];
    for (let page = 1; page < PAGES && !events.some(isTerminal) && !signal.aborted; page += 1) {
      const last = lastIn(events);
      const next = last === undefined ? [] : await pageAfter(last);
      if (next === undefined) {
        isCut = true;
        break;
      }
      // What a cursor that is ignored or not exclusive repeats is no part of the log: resumed readings show it.
      const fresh = startsAt(next, last ?? 0) ? next.filter((event) => sequenceOf(event) !== last) : [];
      if (fresh.length === 0) break;
      events.push(...fresh);
    }
    return first && events;
  };
  const readOnce = async () => onFrom(await (after === undefined ? pageAt('') : pageAfter(after.sequence)));
  const saysOpen = (): boolean => said.at(-1)?.over === false;
  // Whoever resumes and is told that there is more asks again.
  const isBehind = (read: readonly Shown[] | undefined): boolean =>
    isWithoutEnd(read) && (after === undefined || saysOpen());
  const events = goesOn ? await readOnce() : await untilCaughtUp(driving, 'poll', { read: readOnce, isBehind });
  // That the run is over may be said where nothing more is shown, and only there, and a little later than the log's end is shown.
  const [isWhole, last] = [events?.some(isTerminal) === true, lastIn(events ?? [])];
  if (saysOpen() && isWhole && last !== undefined)
    await untilCaughtUp(driving, 'poll', { read: () => pageAfter(last), isBehind: saysOpen });
  const over = goesOn ? overMeanwhile(said) : said.at(-1)?.over;
  return events && { events, exchanges, ...cutOff(isCut, events), ...(over !== undefined && !isCut && { over }) };
}

/**
 * What the pages of a run that goes on say of its end. Whoever polls asks no further once it is said to be terminal. That a page is complete
 * may be said of the page (wire-contract, Endpoints, names the member alone): then every later one is complete, too.
 */
function overMeanwhile(said: readonly (SaidOver | undefined)[]): boolean | undefined {
  if (said.some((each) => each?.name === 'isTerminal' && each.over)) return true;
  const first = said.findIndex((each) => each?.over === true);
  if (first === -1) return said.at(-1)?.over;
  return said.slice(first).some((each) => each?.over === false) ? true : undefined;
}

/** Whether nothing was answered, or not by the host: what it shows there is not known. */
function isLost(exchange: Exchange): boolean {
  return exchange.kind === 'failure' || isForAnotherTime(exchange.status);
}

/** Whether a host says that it does not take what was asked. */
function isRefused(status: number): boolean {
  return isClientError(status) || isNoRoute(status);
}

function lastIn(events: readonly Shown[]): number | undefined {
  const numbers = events.map(sequenceOf).filter((number) => number !== undefined);
  return numbers.length === 0 ? undefined : Math.max(...numbers);
}

async function readShown(
  host: Probe['host'],
  path: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<{ readonly exchange: Exchange; readonly events: readonly Shown[] | undefined }> {
  const exchange = await host.exchange({ method: 'GET', path, headers: { accept: 'application/json', ...headers } });
  const page = readPage(exchange, path);
  const listed = page.ok ? page.events : holdsNoList(exchange) ? [] : undefined;
  const events = listed?.map((data) => ({ id: null, name: null, data: data as Json }));
  return { exchange, events };
}

function startsAt([first]: readonly Shown[], sequence: number): boolean {
  const begins = first === undefined ? undefined : sequenceOf(first);
  return begins === undefined || begins >= sequence;
}
