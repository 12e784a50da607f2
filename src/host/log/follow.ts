import { debugPath, eventsPath, runPath } from '../../protocol/paths.ts';
import { CARRY_OUT, isEnded } from '../../protocol/run-status.ts';
import type { HostHandle } from '../client.ts';
import { jsonIn } from '../exchanged.ts';
import { pauseAfter } from '../paced.ts';
import type { Probe } from '../probe.ts';
import { isRecord, type RunEvent } from '../run-event.ts';
import { CONNECTIONS } from './connection.ts';
import { createEventLog, type EventLog } from './event-log.ts';
import { filled, isOpen } from './lean.ts';
import { readEventList, readPollPages, type Refusal } from './pages.ts';
import { standsStill } from './standstill.ts';
import { openStream, type Until } from './stream.ts';
import type { Transport } from './whole.ts';
import { cut } from '../../evidence/cut.ts';

/** What was read of a run; `exchanges` are the ids of the evidence behind it. */
interface ReadRun {
  /** Unpacked anew each time where there are many. */
  readonly events: readonly RunEvent[];
  readonly log: Pick<EventLog, 'keepIn' | 'isDisordered' | 'hasGaps' | 'lacked'>;
  readonly exchanges: readonly string[];
}

/** How a run was read, and how it ended. */
export type FollowedRun =
  | (ReadRun & { readonly kind: 'ended'; readonly status: string; readonly transport: Transport })
  | Unfinished;

/** A run that may have been left at an event that was waited for, before its end. */
export type AwaitedRun = FollowedRun | (ReadRun & { readonly kind: 'reached' });

/** A run that came to its end, or to what was waited for. */
type Seen = Exclude<AwaitedRun, Unfinished>;

interface Unfinished {
  readonly kind: 'unfinished';
  readonly reason: string;
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

type Patience = Pick<Probe, 'timeoutMs' | 'signal' | 'standstill'>;

interface Following extends Patience {
  readonly handle: HostHandle;
  readonly runId: string;
  readonly until: Until;
  readonly exchanges: string[];
  /** What the poll endpoint gave so far, page by page. */
  readonly polled: EventLog;
  readonly begun: number;
  /** How far its log was seen to go, in any way, and since when; undefined until it was read. */
  gone?: { readonly to: number; readonly at: number };
}

/** How many time-outs a run may take. */
const PATIENCE = 3;

/**
 * The scenarios in which a log was refused until a time-out had passed, went on no further for one and had no end, or had no event
 * though its run had ended: others need not be waited for as long.
 */
const KNOWN = {
  refused: new WeakSet<AbortSignal>(),
  endless: new WeakSet<AbortSignal>(),
  empty: new WeakSet<AbortSignal>(),
} as const;
/** So many turns of the poll are enough then. */
const TURNS = 5;

/**
 * Follows a run to its terminal event: by SSE (resumed after a dropped connection), else by a paced poll of the JSON log
 * and of the poll endpoint. Waits for at most three time-outs, for one where the log is refused in each way; a run that has
 * not ended by then, or whose log is longer than what is kept, is `unfinished`, which is never a failure of the host.
 */
export async function followRun(probe: Patience, handle: HostHandle, runId: string): Promise<FollowedRun> {
  const followed = await followUntil(probe, handle, { runId, until: () => false });
  if (followed.kind !== 'reached') return followed;
  return { kind: 'unfinished', reason: NOT_ENDED, exchanges: followed.exchanges };
}

/**
 * The same for a run that is left, before its end, at the first event that fits. On a host that has
 * carried out no run so far, a run whose snapshot stands as still as that of the first one is not waited for.
 */
export async function followUntil(
  { signal, timeoutMs, standstill }: Patience,
  handle: HostHandle,
  { runId, until }: { readonly runId: string; readonly until: Until },
): Promise<AwaitedRun> {
  const exchanges: string[] = [];
  const standing = standstill?.standing();
  if (standing !== undefined) {
    const { status, exchanges: asked } = await standsStill({ signal }, handle, { runId, standing });
    exchanges.push(...asked);
    if (status !== undefined) return { kind: 'unfinished', reason: notCarriedOut(status), exchanges };
  }
  const begun = { exchanges, polled: createEventLog(), begun: Date.now() };
  const following: Following = { signal, timeoutMs, standstill, handle, runId, until, ...begun };
  const followed = (await byStream(following)) ?? (await byPolling(following));
  if (followed.kind !== 'unfinished' || followed.left !== undefined) standstill?.moved();
  if (followed.kind === 'ended') standstill?.ended(handle);
  return followed;
}

function notCarriedOut(status: string): string {
  return `its snapshot says ${cut(status, SHOWN)}, and no run of the host was seen to go on: ${CARRY_OUT}`;
}

const NOT_ENDED = 'the run has not ended';

/** Whether the time is up, or the run was stopped. */
function isOver({ signal, timeoutMs, begun }: Following): boolean {
  return signal.aborted || Date.now() >= begun + PATIENCE * timeoutMs;
}

async function byStream(following: Following): Promise<AwaitedRun | undefined> {
  const streamed = await readStream(following, eventsPath(following.runId));
  if (streamed === undefined || streamed.kind === 'unfinished') return streamed;
  return withMembers(following, await fullest(following, streamed));
}

/** What a stream showed, up to the run's end or what was waited for; undefined where it does not come so far. */
async function readStream(following: Following, path: string): Promise<Look | undefined> {
  const stream = openStream(following.handle, following.runId, path);
  for (let connection = 0; connection < CONNECTIONS && !isOver(following); connection += 1) {
    const part = await stream.connect(following.until);
    following.exchanges.push(part.exchange.id);
    if (part.isStream) noteGone(following, stream.log);
    if (!part.isStream || part.reduced) return undefined;
    if (stream.log.isFull() || part.terminal || part.reached) return readTo(following, stream.log, 'sse');
    if (!part.moved) return undefined;
  }
  return undefined;
}

/** The same in the mode that shows everything: a host may show less by default, whatever else it has to read a log (wire-contract, SSE). */
function readDebug(following: Following): Promise<Look | undefined> {
  return readStream(following, debugPath(following.runId));
}

/** Whether an event has a content; a stream may show all of its events without any (wire-contract, SSE: reduced objects). */
function saysSomething({ payload }: RunEvent): boolean {
  return payload !== null && !(isRecord(payload) && Object.keys(payload).length === 0);
}

/**
 * A run that has ended, or come to what was waited for, from where most of its events are shown, or what they say, or all in order where
 * its stream repeats some or shows them late: a stream may do so by its mode or by mistake, and what rests on that is no other defect
 * (that all ways show one log is a row of its own).
 */
async function fullest(following: Following, streamed: Seen): Promise<Seen> {
  let best = streamed;
  for (const read of [readList, readPoll, readDebug]) {
    if (isWhole(best)) break;
    const other = await read(asFarAs(best, following));
    if (other !== undefined && other.kind !== 'unfinished' && isFuller(other, best)) best = other;
  }
  return best;
}

/** Where one way shows the end, what it hides is behind the event that was waited for, too. */
function asFarAs({ kind }: Seen, following: Following): Following {
  return kind === 'ended' ? { ...following, until: () => false } : following;
}

/**
 * The same with events from a list that shows what they lack in the stream (wire-contract, SSE: reduced objects). That lists show no more is
 * asked once for each kind of event; where they do, they are waited for.
 */
async function withMembers(following: Following, streamed: Seen): Promise<Seen> {
  const { lean } = following.handle;
  const lacked = streamed.log.lacked();
  if (lean === undefined || !isOpen(lean, lacked)) return streamed;
  let isBehind = false;
  for (const read of lean.isLean ? [byPolling] : [readList, readPoll]) {
    const other = await read(asFarAs(streamed, following));
    if (other.kind === 'unfinished') isBehind ||= 'log' in other;
    const whole = other.kind === 'unfinished' ? undefined : filled(streamed.events, other.events);
    if (whole === undefined) continue;
    lean.isLean = true;
    const log = createEventLog();
    log.add(whole);
    const mended = readTo(asFarAs(streamed, following), log, 'sse');
    return mended.kind === 'unfinished' ? streamed : mended;
  }
  if (!isBehind) for (const each of lacked) lean.plain.add(each);
  return streamed;
}

function isWhole({ log, events }: ReadRun): boolean {
  return !log.hasGaps() && !log.isDisordered() && events.some(saysSomething);
}

function isFuller(other: ReadRun, known: ReadRun): boolean {
  const saysMore = !known.events.some(saysSomething) && other.events.some(saysSomething);
  return saysMore || (known.log.isDisordered() ? !other.log.isDisordered() : other.events.length > known.events.length);
}

/** How far a log went, and when that was seen first. */
interface Stand {
  readonly last: number | undefined;
  readonly at: number;
  readonly turn: number;
}

async function byPolling(following: Following): Promise<AwaitedRun> {
  const { signal, timeoutMs, begun, polled, standstill, handle, gone: streamed } = following;
  let reason = NOT_ENDED;
  // What a stream that stayed open showed and waited for counts.
  let stand: Stand = { last: streamed?.to, at: streamed?.at ?? Date.now(), turn: 0 };
  // What may come a little later has one time-out for it, once in a scenario, and once at a host of which no run was read to its end.
  const isLate = (since: Pick<Stand, 'at' | 'turn'>, turn: number, vain: keyof typeof KNOWN): boolean =>
    Date.now() >= since.at + timeoutMs ||
    (turn >= since.turn + TURNS && (KNOWN[vain].has(signal) || standstill?.isVain(vain, handle) === true));
  const note = (vain: keyof typeof KNOWN): void => {
    KNOWN[vain].add(signal);
    standstill?.waited(vain);
  };
  for (let turn = 0; !isOver(following); turn += 1) {
    const listed = await readList(following);
    if (listed.kind !== 'unfinished') return listed;
    const paged = await readPoll(following);
    if (paged.kind !== 'unfinished') return paged;
    ({ reason } = paged);
    const events = paged.why?.unfit ?? listed.why?.unfit;
    if (events !== undefined) return { ...unfinished(following, reason), left: { events, snapshot: null } };
    if (polled.isFull() || (turn >= TURNS && standstill?.isVain('growing', handle) === true)) break;
    if (isMute(listed, paged)) break;
    const isRefused = listed.why?.refused === true && paged.why?.refused === true;
    if (isRefused && isLate({ at: begun, turn: 0 }, turn, 'refused')) {
      note('refused');
      break;
    }
    const log = paged.log ?? listed.log;
    const last = log?.lastSequence();
    const vain = last === undefined ? 'empty' : 'endless';
    const isStill = last === stand.last && isLate(stand, turn, vain);
    const left = log !== undefined && isStill ? await leftAt(following, log) : undefined;
    if (left !== undefined) {
      note(vain);
      return { ...unfinished(following, NO_END), left };
    }
    if (log !== undefined) noteGone(following, log);
    if (isStill || last !== stand.last) stand = { last, at: Date.now(), turn };
    await pauseAfter(turn, signal);
  }
  const { gone } = following;
  if (gone !== undefined && isOver(following) && !signal.aborted) {
    if (Date.now() >= gone.at + timeoutMs) standstill?.stood(following.runId);
    else standstill?.waited('growing');
  }
  return unfinished(following, reason);
}

/** Whether no way is left by which the host has ever shown a log. */
function isMute(...looks: readonly Look[]): boolean {
  const whys = looks.map((look) => (look.kind === 'unfinished' ? look.why : undefined));
  return whys.some((why) => why?.mute) && whys.every((why) => why?.mute === true || why?.refused === true);
}

function noteGone(following: Following, log: EventLog): void {
  const to = log.lastSequence() ?? -1;
  if (following.gone === undefined || to > following.gone.to) following.gone = { to, at: Date.now() };
}

const NO_END = 'its snapshot says that it has ended, and its log goes on no further and has no terminal event';

/** What is left of a run that has ended by its snapshot; undefined where that does not say so. */
async function leftAt({ handle, runId, exchanges }: Following, log: EventLog): Promise<LeftRun | undefined> {
  const exchange = await handle.exchange({ method: 'GET', path: runPath(runId) });
  exchanges.push(exchange.id);
  const snapshot = jsonIn(exchange, 200);
  if (!isRecord(snapshot) || !isEnded(snapshot['status'])) return undefined;
  return { events: log.events.map(({ raw }) => raw), snapshot };
}

/** One look at a log: the run where it has ended, else the log as far as it goes, or why there is none. */
type Look = Seen | (Unfinished & { readonly log?: EventLog; readonly why?: Omit<Refusal, 'ok'> });

async function readList(following: Following): Promise<Look> {
  const path = eventsPath(following.runId);
  const exchange = await following.handle.exchange({ method: 'GET', path });
  following.exchanges.push(exchange.id);
  const list = readEventList(exchange, path);
  if (!list.ok) return { ...unfinished(following, list.reason), why: list };
  const log = createEventLog();
  log.add(list.events);
  return readTo(following, log, 'json');
}

async function readPoll(following: Following): Promise<Look> {
  const { polled } = following;
  const { exchanges, problem } = await readPollPages(following.handle, following.runId, polled);
  following.exchanges.push(...exchanges);
  if (problem !== undefined) return { ...unfinished(following, problem.reason), why: problem };
  return readTo(following, polled, 'poll');
}

/** The run as far as a log shows it. */
function readTo(following: Following, log: EventLog, transport: Transport): Look {
  if (log.isFull()) return unfinished(following, 'the log is longer than what is kept');
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
  return { ...unfinished(following, `the log has no terminal event yet: ${lastOf(log)}`), log };
}

/** How far a log goes, in words. */
function lastOf({ events }: EventLog): string {
  const last = events.at(-1);
  return last === undefined
    ? 'it shows no event'
    : `it ends with ${cut(last.type, SHOWN)} at sequence ${last.sequence}`;
}

/** Characters of an event's type that are shown. */
const SHOWN = 80;

function unfinished({ exchanges }: Following, reason: string): Unfinished {
  return { kind: 'unfinished', reason, exchanges };
}
