import type { Exchange, HostHandle, HostRequest } from '../client.ts';
import { createLean, type Lean } from './lean.ts';
import { asksForLog, headerOf, isEventStream } from '../request.ts';

/** The ways in which hosts' logs are read, over a whole conformance run. */
export interface Ways {
  /** A handle that does the same, knows this caller's streams, and waits less for a way to read a log that has stood still under it. */
  watching(handle: HostHandle, caller: string): HostHandle;
}

/** How a way went so far. */
interface Way {
  /** A host may wait for the next event there, or a run may have none yet. */
  readonly mayWait: boolean;
  /** How often nothing came within the time-out, since something came. */
  stood: number;
  hasAnswered: boolean;
  /** The most milliseconds until something came. */
  slowest: number;
}

/** A way that has answered before, or one behind an event, where a host may wait for the next one, stands still after so many time-outs. */
const OFTEN = 3;
/** What it is given then, and what a way that has never answered is given after its first one: parts of a time-out. */
const [SOME, LITTLE] = [1 / 10, 1 / 50];
/** No way is given less, in milliseconds. */
const LEAST_MS = 100;

/**
 * Watches the ways in which logs are asked for: as a stream, as JSON and by the poll endpoint, each from the start or behind an
 * event. One that stands still would take a time-out for each further run. Whatever comes gives a way the whole time again.
 */
export function createWays(timeoutMs: number): Ways {
  const ways = new Map<string, Way>();
  const leans = new Map<string, Lean>();
  const leanOf = (caller: string): Lean => {
    const lean = leans.get(caller) ?? createLean();
    leans.set(caller, lean);
    return lean;
  };
  const wayOf = (request: HostRequest, caller: string): Way => {
    const mayWait = asksBehind(request);
    const name = `${kindOf(request)} ${mayWait} ${caller}`;
    const way = ways.get(name) ?? { mayWait, stood: 0, hasAnswered: false, slowest: 0 };
    ways.set(name, way);
    return way;
  };
  return {
    watching: (handle, caller) => ({
      ...handle,
      lean: leanOf(caller),
      exchange: async (request) => {
        if (!asksForLog(request)) return handle.exchange(request);
        const asked = begin(wayOf(request, caller), timeoutMs);
        const exchange = await handle.exchange(asked.shortened(request));
        if (exchange.kind === 'response') asked.heard();
        return asked.ended(exchange);
      },
      stream: async (request, reader) => {
        if (!asksForLog(request)) return handle.stream(request, reader);
        const asked = begin(wayOf(request, caller), timeoutMs);
        let isStream = false;
        const exchange = await handle.stream(asked.shortened(request), {
          head: (status, headers) => {
            isStream = isEventStream(headers);
            return reader.head(status, headers);
          },
          text: (chunk) => {
            // Comments keep a stream open that says nothing.
            if (!isStream || chunk.includes('data')) asked.heard();
            return reader.text(chunk);
          },
        });
        if (exchange.kind === 'response' && exchange.cut !== true && !isStream) asked.heard();
        return asked.ended(exchange);
      },
    }),
  };
}

/** One request by a way. */
interface Asked {
  readonly shortened: (request: HostRequest) => HostRequest;
  readonly heard: () => void;
  readonly ended: (exchange: Exchange) => Exchange;
}

function begin(way: Way, timeoutMs: number): Asked {
  const ms = patienceFor(way, timeoutMs);
  const begun = performance.now();
  let isHeard = false;
  return {
    shortened: (request) => (ms === undefined ? request : { ...request, patience: { ms, because: STOOD } }),
    heard: () => {
      if (isHeard) return;
      isHeard = true;
      way.slowest = Math.max(way.slowest, performance.now() - begun);
      way.hasAnswered = true;
      way.stood = 0;
    },
    ended: (exchange) => {
      const isLate = exchange.kind === 'failure' ? exchange.reason === 'timeout' : exchange.cut === true;
      if (isHeard || !isLate) return exchange;
      way.stood += 1;
      const isMute = exchange.kind === 'failure' && ms !== undefined && !way.hasAnswered && !way.mayWait;
      return isMute ? { ...exchange, mute: true } : exchange;
    },
  };
}

const STOOD = 'as this way to read a log stood still before';

/** Milliseconds that a way is given; undefined for a whole time-out. */
function patienceFor({ mayWait, stood, hasAnswered, slowest }: Way, timeoutMs: number): number | undefined {
  const isMute = !hasAnswered && !mayWait;
  if (stood < (isMute ? 1 : OFTEN)) return undefined;
  const ms = Math.max(LEAST_MS, timeoutMs * (isMute ? LITTLE : SOME), 2 * slowest);
  return ms < timeoutMs ? Math.round(ms) : undefined;
}

function kindOf(request: HostRequest): string {
  if (/\/events\/poll(?:\?|$)/u.test(request.path)) return 'poll';
  return `${headerOf(request, 'accept') ?? 'application/json'} ${/[?&]streamMode=/u.test(request.path)}`;
}

/** Whether a log is asked for behind one of its events (wire-contract, SSE). */
function asksBehind(request: HostRequest): boolean {
  return /[?&](?:lastSequence|since)=/u.test(request.path) || headerOf(request, 'last-event-id') !== undefined;
}
