import { eventsPath, runPath } from '../protocol/paths.ts';
import { kindOfStatus } from '../protocol/run-status.ts';
import type { HostHandle } from './client.ts';
import { createEventLog, type EventLog } from './event-log.ts';
import { readEventStream, type Until } from './event-stream.ts';
import { pause } from './pause.ts';
import { readEventList, readPollPages, type EventList } from './poll.ts';
import type { Probe } from './probe.ts';
import { isRecord, type RunEvent } from './run-event.ts';

/** How a run was read, and how it ended; `exchanges` are the ids of the evidence behind it. */
export type FollowedRun =
  | {
      readonly kind: 'ended';
      readonly status: string;
      /** Unpacked anew each time where there are many. */
      readonly events: readonly RunEvent[];
      readonly log: Log;
      readonly transport: 'sse' | 'json' | 'poll';
      readonly exchanges: readonly string[];
    }
  | Unfinished;

interface Unfinished {
  readonly kind: 'unfinished';
  readonly reason: string;
  /** The host has refused to show the log. */
  readonly refused?: true;
  /** What was read, where waiting any longer is in vain. */
  readonly left?: LeftRun;
  readonly exchanges: readonly string[];
}

/**
 * A run that cannot be followed though the host shows it: a number in its log is none, or its log goes on no further and
 * has no terminal event while its snapshot says that the run has ended.
 */
interface LeftRun {
  /** The events as the host sent them. */
  readonly events: readonly unknown[];
  /** The snapshot that says so; null where the log itself is enough. */
  readonly snapshot: unknown;
}

/** A run that may have been left at an event that was waited for, before its end. */
export type AwaitedRun =
  | FollowedRun
  | {
      readonly kind: 'reached';
      readonly events: readonly RunEvent[];
      readonly log: Log;
      readonly exchanges: readonly string[];
    };

type Log = Pick<EventLog, 'keepIn'>;

interface Following {
  readonly handle: HostHandle;
  readonly runId: string;
  readonly exchanges: string[];
  /** What the poll endpoint gave so far, page by page. */
  readonly polled: EventLog;
  readonly until: Until;
  /** True when the time is up, or when the run was stopped. */
  isOver(): boolean;
  /** The same for a log that is refused in each way: it may be there a little later, so one time-out has to pass. */
  isOverForRefused(turn: number): boolean;
  /** The same for a log that has stood still since a time and a turn of the poll. */
  isStill(since: Stand, turn: number): boolean;
}

/** How far a log went, and when that was seen first. */
interface Stand {
  readonly last: number | undefined;
  readonly at: number;
  readonly turn: number;
}

/** The scenarios in which a log was refused until a time-out had passed: others need not be waited for as long. */
const refusing = new WeakSet<AbortSignal>();
/** So many turns of the poll are enough then. */
const TURNS = 5;

/** The scenarios in which a log went on no further for a time-out, and had no end. */
const stalling = new WeakSet<AbortSignal>();

/** Pauses between two polls, in milliseconds: the first is short, the last repeats. */
const PACE = [20, 50, 100, 200, 500, 1000];
/** Connections to one event stream before the client turns to polling. */
const STREAM_CONNECTIONS = 5;

/**
 * Follows a run to its terminal event: by SSE (resumed after a dropped connection), else by a paced poll of the JSON log
 * and of the poll endpoint. Waits for at most three time-outs, for one where the log is refused in each way; a run that has
 * not ended by then, or whose log is longer than what is kept, is `unfinished`, which is never a failure of the host.
 */
export async function followRun(probe: Patience, handle: HostHandle, runId: string): Promise<FollowedRun> {
  const followed = await followUntil(probe, handle, { runId, until: () => false });
  if (followed.kind !== 'reached') return followed;
  return { kind: 'unfinished', reason: 'the run has not ended', exchanges: followed.exchanges };
}

/** The same for a run that is left, before its end, at the first event that fits. */
export async function followUntil(
  probe: Patience,
  handle: HostHandle,
  { runId, until }: { readonly runId: string; readonly until: Until },
): Promise<AwaitedRun> {
  const { signal, timeoutMs } = probe;
  const begun = Date.now();
  const following: Following = {
    handle,
    runId,
    until,
    exchanges: [],
    polled: createEventLog(),
    isOver: () => signal.aborted || Date.now() >= begun + 3 * timeoutMs,
    isOverForRefused: (turn) => Date.now() >= begun + timeoutMs || (turn >= TURNS && refusing.has(signal)),
    isStill: (since, turn) =>
      Date.now() >= since.at + timeoutMs || (turn >= since.turn + TURNS && stalling.has(signal)),
  };
  return (await byStream(following)) ?? (await byPolling(following, signal));
}

type Patience = Pick<Probe, 'timeoutMs' | 'signal'>;

async function byStream(following: Following): Promise<AwaitedRun | undefined> {
  const log = createEventLog();
  let lastEventId: string | undefined;
  for (let connection = 0; connection < STREAM_CONNECTIONS && !following.isOver(); connection += 1) {
    const part = await readEventStream(following.handle, following.runId, { lastEventId, until: following.until });
    following.exchanges.push(part.exchange.id);
    if (!part.isStream || part.reduced) return undefined;
    log.add(part.events);
    if (log.isFull()) return unfinished(following, TOO_LONG);
    if (part.terminal || part.reached) return ended(following, log, 'sse');
    if (part.lastEventId === lastEventId) return undefined;
    lastEventId = part.lastEventId;
  }
  return undefined;
}

async function byPolling(following: Following, signal: AbortSignal): Promise<AwaitedRun> {
  let reason = 'the run has not ended';
  let stand: Stand = { last: undefined, at: Date.now(), turn: 0 };
  for (let turn = 0; !following.isOver(); turn += 1) {
    let refused = true;
    let log: EventLog | undefined;
    let misnumbered: readonly unknown[] | undefined;
    for (const read of [readLog, readPoll]) {
      const result = await read(following);
      if (result.kind !== 'unfinished') return result;
      reason = result.reason;
      refused &&= result.refused === true;
      log = result.log ?? log;
      misnumbered = result.misnumbered ?? misnumbered;
    }
    if (misnumbered !== undefined)
      return { ...unfinished(following, reason), left: { events: misnumbered, snapshot: null } };
    if (following.polled.isFull()) break;
    if (refused && following.isOverForRefused(turn)) {
      refusing.add(signal);
      break;
    }
    const last = log?.lastSequence();
    if (last !== stand.last) stand = { last, at: Date.now(), turn };
    else if (log !== undefined && last !== undefined && following.isStill(stand, turn)) {
      const snapshot = await endedSnapshot(following);
      if (snapshot !== undefined) {
        stalling.add(signal);
        const events = log.events.map(({ raw }) => raw);
        return { ...unfinished(following, NO_END), left: { events, snapshot } };
      }
      stand = { last, at: Date.now(), turn };
    }
    await pause(PACE[Math.min(turn, PACE.length - 1)] ?? 0, signal);
  }
  return unfinished(following, reason);
}

const NO_END = 'its snapshot says that it has ended, and its log goes on no further and has no terminal event';

/** The snapshot of a run that has ended by it; undefined where it does not say so. */
async function endedSnapshot({ handle, runId, exchanges }: Following): Promise<unknown> {
  const exchange = await handle.exchange({ method: 'GET', path: runPath(runId) });
  exchanges.push(exchange.id);
  if (exchange.kind === 'failure' || exchange.status !== 200 || !exchange.json.ok) return undefined;
  const { value } = exchange.json;
  return isRecord(value) && kindOfStatus(value['status']) === 'ended' ? value : undefined;
}

/** One look at a log by polling. */
type Look =
  | Exclude<AwaitedRun, Unfinished>
  | (Unfinished & { readonly log?: EventLog; readonly misnumbered?: readonly unknown[] });

async function readLog(following: Following): Promise<Look> {
  const path = eventsPath(following.runId);
  const exchange = await following.handle.exchange({ method: 'GET', path });
  following.exchanges.push(exchange.id);
  const list = readEventList(exchange, path);
  if (!list.ok) return unread(following, list);
  const log = createEventLog();
  log.add(list.events);
  return log.isFull() ? unfinished(following, TOO_LONG) : ended(following, log, 'json');
}

async function readPoll(following: Following): Promise<Look> {
  const { polled } = following;
  const pages = await readPollPages(following.handle, following.runId, polled);
  following.exchanges.push(...pages.exchanges);
  if (pages.problem !== undefined) return unread(following, pages.problem);
  return polled.isFull() ? unfinished(following, TOO_LONG) : ended(following, polled, 'poll');
}

const TOO_LONG = 'the log is longer than what is kept';

function ended(following: Following, log: EventLog, transport: 'sse' | 'json' | 'poll'): Look {
  const status = log.status();
  const { exchanges } = following;
  const read = {
    log,
    exchanges,
    get events() {
      return log.events;
    },
  };
  if (status !== undefined) return Object.assign(read, { kind: 'ended', status, transport } as const);
  if (log.events.some((event) => following.until(event))) return Object.assign(read, { kind: 'reached' } as const);
  return { ...unfinished(following, 'the log has no terminal event yet'), log };
}

function unread(
  following: Following,
  { reason, refused, misnumbered }: Extract<EventList, { readonly ok: false }>,
): Look {
  const why = { ...(refused === undefined ? {} : { refused }), ...(misnumbered === undefined ? {} : { misnumbered }) };
  return { ...unfinished(following, reason), ...why };
}

function unfinished({ exchanges }: Following, reason: string): Unfinished {
  return { kind: 'unfinished', reason, exchanges };
}
