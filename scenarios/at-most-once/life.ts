import { member } from '../../src/contract/discovery.ts';
import type { Json } from '../../src/evidence/types.ts';
import type { Exchange, HostHandle } from '../../src/host/client.ts';
import { answeredWith, jsonIn } from '../../src/host/exchanged.ts';
import { createEventLog } from '../../src/host/log/event-log.ts';
import { filled, isOpen } from '../../src/host/log/lean.ts';
import { readLists } from '../../src/host/log/now.ts';
import { untilCaughtUp } from '../../src/host/late.ts';
import { openStream, type RunStream } from '../../src/host/log/stream.ts';
import { repeatPaced } from '../../src/host/paced.ts';
import type { RunEvent } from '../../src/host/run-event.ts';
import { DISCOVERY_PATH, runPath } from '../../src/protocol/paths.ts';
import { isEnded, isParked } from '../../src/protocol/run-status.ts';
import { isGatewayError } from '../../src/protocol/status.ts';
import { rawOf } from '../shared/compare-runs.ts';
import { mayLag } from '../shared/snapshot-fault.ts';
import { isLeftToSomebody } from './settled-run.ts';

/** How a run was seen in one life of its host. */
export interface Life {
  /** `broken`: the host was gone; `how` says what showed it. */
  readonly stopped: 'ended' | 'parked' | 'patience' | 'missing' | 'aborted' | 'broken';
  readonly how: string | null;
  /** The log from its start, as far as it was shown. */
  readonly events: readonly RunEvent[];
  /** Whether the log could be read, so that what it does not show is not there. */
  readonly logRead: boolean;
  readonly snapshot: Json;
  readonly exchanges: readonly string[];
}

/** What one life is seen through. */
export interface Sight {
  readonly host: HostHandle;
  readonly signal: AbortSignal;
  readonly patienceMs: number;
  /** How long a quiet stream may be kept open before the client itself gives it up. */
  readonly streamMs: number;
  /** Whether a connection that breaks off counts as a death although the host answers: it may be back by itself. */
  readonly returnsByItself: boolean;
}

interface Seeing extends Sight {
  readonly runId: string;
  readonly stream: RunStream;
  readonly exchanges: string[];
  /** Set where the host has no stream, or a reduced one. */
  streamless: boolean;
  /** Set where the stream's path was not found: there is no stream, or no such run. */
  streamNotFound: boolean;
  /** Whether a list of events was answered, if an empty one. */
  listed: boolean;
  snapshot: Json;
  /** Turns in which the snapshot alone showed the end, and in which the run was unknown. */
  endedTurns: number;
  missingTurns: number;
}

/** Looks after which a snapshot is believed whose log shows no end, and a run given up that the host does not know. */
const ENOUGH_TURNS = 8;

type Stop = Pick<Life, 'stopped' | 'how'>;

/** Follows a run from its first event to its end, until it waits for somebody, until the host is gone, or for so long. */
export async function seeLife(sight: Sight, runId: string): Promise<Life> {
  const { patienceMs, signal } = sight;
  const unread = { streamless: false, streamNotFound: false, listed: false, snapshot: null };
  const stream = openStream(sight.host, runId);
  const seeing: Seeing = { ...sight, ...unread, runId, stream, exchanges: [], endedTurns: 0, missingTurns: 0 };
  const stop = (await repeatPaced(
    () => look(seeing),
    (each) => each !== undefined,
    { patienceMs, signal },
  )) ?? { stopped: signal.aborted ? 'aborted' : leftAs(seeing.snapshot), how: null };
  const isSilent = stop.stopped !== 'broken' && stop.stopped !== 'aborted' && stream.log.events.length === 0;
  if (isSilent && !seeing.listed) await readLog(seeing);
  const events = stop.stopped === 'broken' ? stream.log.events : await wholeEvents(seeing);
  const logRead = seeing.listed || events.length > 0;
  if (stop.stopped === 'ended') await readValues(seeing, events);
  return { ...stop, events, logRead, snapshot: seeing.snapshot, exchanges: seeing.exchanges };
}

/** A snapshot that shows the end, and not yet what the log ends with, is read again for a while. */
async function readValues(seeing: Seeing, events: readonly RunEvent[]): Promise<void> {
  const { host, runId, exchanges, signal } = seeing;
  const run = { role: 'run', runId, problem: null, events: rawOf(events) };
  const isBehind = (): boolean => mayLag({ ...run, snapshot: seeing.snapshot });
  if (!isBehind()) return;
  const read = async (): Promise<void> => {
    const exchange = await host.exchange({ method: 'GET', path: runPath(runId) });
    exchanges.push(exchange.id);
    seeing.snapshot = (jsonIn(exchange, 200) ?? seeing.snapshot) as Json;
  };
  await untilCaughtUp({ signal, standstill: undefined }, 'values', { read, isBehind });
}

/** The events as lists show them where the stream's lack what they need not have there (wire-contract, SSE: reduced objects). */
async function wholeEvents({ host, runId, stream, exchanges, signal }: Seeing): Promise<readonly RunEvent[]> {
  const { events } = stream.log;
  const { lean } = host;
  if (signal.aborted || lean === undefined || !isOpen(lean, stream.log.lacked())) return events;
  const log = createEventLog();
  const read = await readLists(host, runId, log);
  exchanges.push(...read.exchanges);
  const whole = filled(events, log.events);
  lean.isLean ||= whole !== undefined;
  return whole ?? events;
}

/** How a run is left for which nobody is asked: one that still waits by then waits for somebody. */
function leftAs(snapshot: Json): 'parked' | 'patience' {
  return isParked(member(snapshot, 'status')) ? 'parked' : 'patience';
}

/** Reads the stream on; true where the connection broke off under the reader. */
async function readStream(seeing: Seeing): Promise<boolean> {
  const start = performance.now();
  const part = await seeing.stream.connect(({ type }) => mayPark(type));
  const { exchange, isStream, reduced } = part;
  seeing.exchanges.push(exchange.id);
  const status = answeredWith(exchange);
  seeing.streamNotFound = status === 404;
  const isRefused = !isStream && status !== null && !isGatewayError(status) && status !== 404;
  seeing.streamless ||= reduced || isRefused;
  if (exchange.kind === 'failure') return exchange.reason !== 'timeout' && exchange.reason !== 'aborted';
  const ranOut = performance.now() - start >= seeing.streamMs;
  return isStream && !reduced && !part.terminal && !part.reached && !ranOut;
}

/** Reads the log as it stands; true where the connection broke off. */
async function readLog(seeing: Seeing): Promise<boolean> {
  const { host, runId, stream, exchanges } = seeing;
  const { answer, problem, exchanges: more } = await readLists(host, runId, stream.log);
  exchanges.push(...more);
  seeing.listed ||= problem === undefined;
  return answer.kind === 'failure' && answer.reason !== 'timeout';
}

/** Reads on, then looks at the run, and where it cannot be seen at the host: how this life ended, or undefined to go on. */
async function look(seeing: Seeing): Promise<Stop | undefined> {
  const { host, runId, stream, exchanges, signal } = seeing;
  const broken = seeing.streamless ? await readLog(seeing) : await readStream(seeing);
  const gone = broken ? await deathOf(host, exchanges) : undefined;
  if (gone !== undefined) return { stopped: 'broken', how: gone };
  const exchange = await host.exchange({ method: 'GET', path: runPath(runId) });
  exchanges.push(exchange.id);
  if (signal.aborted) return { stopped: 'aborted', how: null };
  if (isUnreachable(exchange)) {
    const how = await deathOf(host, exchanges);
    return how === undefined ? undefined : { stopped: 'broken', how };
  }
  const snapshot = jsonIn(exchange, 200);
  if (snapshot !== undefined) {
    seeing.snapshot = snapshot as Json;
    seeing.streamless ||= seeing.streamNotFound;
  }
  if (stream.log.hasEnded()) return { stopped: 'ended', how: null };
  if (broken && seeing.returnsByItself) return { stopped: 'broken', how: 'the connection broke off' };
  return settled(seeing, exchange);
}

function settled(seeing: Seeing, exchange: Exchange): Stop | undefined {
  const status = member(seeing.snapshot, 'status');
  if (isLeftToSomebody(status, seeing.stream.log.events)) return { stopped: 'parked', how: null };
  if (isEnded(status)) seeing.endedTurns += 1;
  if (seeing.endedTurns >= ENOUGH_TURNS) return { stopped: 'ended', how: 'the log shows no end' };
  if (answeredWith(exchange) === 404) seeing.missingTurns += 1;
  return seeing.missingTurns >= ENOUGH_TURNS ? { stopped: 'missing', how: null } : undefined;
}

/** An event after which a run may wait for somebody. */
function mayPark(type: string): boolean {
  return /interrupt\.requested|suspend|pause|park|waiting/iu.test(type);
}

const GONE = new Set(['refused', 'reset', 'unresolvable']);

/** Whether an exchange ended as it does where nobody listens. */
function isUnreachable(exchange: Exchange): boolean {
  return exchange.kind === 'failure' ? GONE.has(exchange.reason) : isGatewayError(exchange.status);
}

/** Asks the host for its discovery document: what shows that it is gone, or undefined where it is there. */
export async function deathOf(host: HostHandle, exchanges: string[]): Promise<string | undefined> {
  const exchange = await host.exchange({ method: 'GET', path: DISCOVERY_PATH, anonymous: true });
  exchanges.push(exchange.id);
  if (!isUnreachable(exchange)) return undefined;
  return exchange.kind === 'failure' ? exchange.reason : `${exchange.status}`;
}
