import { keepMember } from '../../src/evidence/pack.ts';
import type { Json, Observation } from '../../src/evidence/types.ts';
import { createLogReader } from '../../src/host/json.ts';
import { pause } from '../../src/host/pause.ts';
import type { Probe } from '../../src/host/probe.ts';
import { isRecord, isSequence, terminalStatus } from '../../src/host/run-event.ts';
import { readWholeStream, type StreamMessage } from '../../src/host/whole-stream.ts';
import { eventsPath, pollPath } from '../../src/protocol/paths.ts';

/** One event as one reading showed it: the stream's own id and event lines beside the data. */
export type Shown = StreamMessage;

export type Transport = 'sse' | 'json' | 'poll';

/** One reading of a run that has ended. */
export interface ReadingObservation extends Observation {
  readonly type: 'reading';
  /** Which run: `the run`, `the failed run`, `the fork`. */
  readonly run: string;
  readonly runId: string;
  readonly transport: Transport;
  /** From the start, the same once more a little later, or resumed after an event. */
  readonly how: 'start' | 'again' | 'resumed';
  /** The sequence number after which a resumed reading begins; null for the others. */
  readonly after: number | null;
  /** A stream of the default mode may leave types out (wire-contract, SSE). */
  readonly partial: boolean;
  readonly events: readonly Shown[];
}

/** What is to be read, and from where on. */
export interface Reading {
  readonly run: string;
  readonly runId: string;
  readonly how: ReadingObservation['how'];
  /** The event to resume after: the cursor of a poll, the id of a stream. */
  readonly after?: { readonly sequence: number; readonly id: string };
}

type Read = Pick<ReadingObservation, 'partial' | 'events' | 'exchanges'> | undefined;

/**
 * Reads an ended run's log once over a transport. Undefined where the host does not offer the transport, or knows no
 * cursor there.
 */
export async function readBy(
  probe: Probe,
  transport: Transport,
  reading: Reading,
): Promise<ReadingObservation | undefined> {
  const read = await READERS[transport](probe, reading);
  if (read === undefined) return undefined;
  const { run, runId, how, after } = reading;
  const { events, ...rest } = read;
  const none: readonly Shown[] = [];
  const kept = {
    type: 'reading',
    run,
    runId,
    transport,
    how,
    after: after?.sequence ?? null,
    events: none,
    ...rest,
  } as const;
  keepMember(kept, 'events', events);
  return kept;
}

/** Reads an ended run's log once, over the first of these transports that the host offers. */
export async function readOver(
  probe: Probe,
  transports: readonly Transport[],
  reading: Reading,
): Promise<ReadingObservation | undefined> {
  for (const transport of transports) {
    const read = await readBy(probe, transport, reading);
    if (read !== undefined) return read;
  }
  return undefined;
}

const READERS: Readonly<Record<Transport, (probe: Probe, reading: Reading) => Promise<Read>>> = {
  sse: async (probe, reading) => (await readStream(probe, reading, '?streamMode=debug')) ?? readStream(probe, reading),
  json: readJson,
  poll: readPoll,
};

/** Connections to the stream of a run that has ended: one that was cut off is resumed. */
const CONNECTIONS = 5;

/** Reads on after the terminal event, to the end of the connection: nothing may follow it. */
async function readStream(probe: Probe, reading: Reading, query = ''): Promise<Read> {
  const events: Shown[] = [];
  const exchanges: string[] = [];
  const read = createLogReader();
  let lastEventId = reading.after?.id;
  for (let connection = 0; connection < CONNECTIONS && !events.some(isTerminal); connection += 1) {
    const part = await readWholeStream(probe.host, eventsPath(reading.runId) + query, { lastEventId, read });
    exchanges.push(part.exchange);
    if (!part.isStream) return connection === 0 ? undefined : { partial: query === '', events, exchanges };
    events.push(...part.events);
    const id = part.events.at(-1)?.id ?? undefined;
    if (id === undefined || id === lastEventId) break;
    lastEventId = id;
  }
  return { partial: query === '', events, exchanges };
}

async function readJson(probe: Probe, { runId, after }: Reading): Promise<Read> {
  if (after !== undefined) return undefined;
  const headers = { accept: 'application/json' };
  const exchanges: string[] = [];
  for (const query of ['?streamMode=debug', '']) {
    const exchange = await probe.host.exchange({ method: 'GET', path: eventsPath(runId) + query, headers });
    exchanges.push(exchange.id);
    const events = exchange.kind === 'response' && exchange.status === 200 ? listIn(exchange.json) : undefined;
    if (events !== undefined) return { partial: query === '', events, exchanges };
  }
  return undefined;
}

/** Pauses between two polls of a run that has ended and whose end the poll does not show yet, in milliseconds. */
const PACE = [20, 100, 300];
const CURSORS = ['lastSequence', 'since'] as const;

async function readPoll(probe: Probe, { runId, after }: Reading): Promise<Read> {
  const exchanges: string[] = [];
  const page = async (cursor: string): Promise<readonly Shown[] | undefined> => {
    const exchange = await probe.host.exchange({ method: 'GET', path: pollPath(runId) + cursor });
    exchanges.push(exchange.id);
    return exchange.kind === 'response' && exchange.status === 200 ? listIn(exchange.json) : undefined;
  };
  if (after !== undefined) {
    for (const name of CURSORS) {
      const events = await page(`?${name}=${after.sequence}`);
      // A host that begins before the cursor does not know it by this name.
      if (events !== undefined && startsAfter(events, after.sequence)) return { partial: false, events, exchanges };
    }
    return undefined;
  }
  let events = await page('');
  for (const ms of PACE) {
    if (events === undefined || probe.signal.aborted || events.some(isTerminal)) break;
    await pause(ms, probe.signal);
    events = await page('');
  }
  return events === undefined ? undefined : { partial: false, events, exchanges };
}

function listIn(json: { readonly ok: boolean; readonly value?: unknown }): readonly Shown[] | undefined {
  if (!json.ok) return undefined;
  const list = isRecord(json.value) && Object.hasOwn(json.value, 'events') ? json.value['events'] : json.value;
  return Array.isArray(list) ? list.map((data) => ({ id: null, name: null, data: data as Json })) : undefined;
}

function startsAfter([first]: readonly Shown[], sequence: number): boolean {
  const begins = first === undefined ? undefined : sequenceOf(first);
  return begins === undefined || begins >= sequence;
}

/** An event's number: its own member, or the id of a reduced stream event; undefined where it has none. */
export function sequenceOf(event: Shown): number | undefined {
  const sequence = shownSequence(event);
  return typeof sequence === 'number' && Number.isInteger(sequence) ? sequence : undefined;
}

/**
 * What an event shows as its number, a number or not; null for a whole event without one, which it must have
 * (wire-contract, Documents), or with one outside the range of a double, as JSON has no other form for that. Undefined
 * for a reduced event that shows none: it need not.
 */
export function shownSequence({ data, id }: Shown): unknown {
  const sequence = own(data, 'sequence') ?? own(data, 'seq');
  if (typeof sequence === 'number' && !Number.isFinite(sequence)) return null;
  if (sequence !== undefined && sequence !== null) return sequence;
  if (isWhole(data)) return null;
  const number = id === null || id === '' ? Number.NaN : Number(id);
  return isSequence(number) ? number : undefined;
}

function isWhole(data: Json): boolean {
  return typeof own(data, 'eventId') === 'string' && ['payload', 'data'].some((name) => own(data, name) !== undefined);
}

/** An event's type: its own member, or the stream's event line. */
export function typeOf({ data, name }: Shown): string | undefined {
  const type = own(data, 'type') ?? name;
  return typeof type === 'string' ? type : undefined;
}

/** Whether an event ends its run. */
export function isTerminal(event: Shown): boolean {
  const type = typeOf(event);
  return type !== undefined && terminalStatus(type) !== undefined;
}

function own(value: unknown, name: string): unknown {
  return isRecord(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}
