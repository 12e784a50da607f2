import { setTimeout as delay } from 'node:timers/promises';
import { readEventStream } from './event-stream.ts';
import type { Probe, HostHandle } from './probe.ts';
import { isRecord, readRunEvent, terminalStatus, type RunEvent } from './run-event.ts';

/** How a run was read, and how it ended; `exchanges` are the ids of the evidence behind it. */
export type FollowedRun =
  | {
      readonly kind: 'ended';
      readonly status: string;
      readonly events: readonly RunEvent[];
      readonly transport: 'sse' | 'json' | 'poll';
      readonly exchanges: readonly string[];
    }
  | { readonly kind: 'unfinished'; readonly reason: string; readonly exchanges: readonly string[] };

interface Following {
  readonly handle: HostHandle;
  readonly runId: string;
  readonly probe: Probe;
  readonly deadline: number;
  readonly exchanges: string[];
}

/** Pauses between two polls, in milliseconds: the first is short, the last repeats. */
const PACE = [20, 50, 100, 200, 500, 1000];
/** Connections to one event stream before the client turns to polling. */
const STREAM_CONNECTIONS = 5;

/**
 * Follows a run to its terminal event: by SSE (resumed after a dropped connection), else by a paced poll of the JSON
 * log, the poll endpoint or the snapshot. Waits for at most three time-outs; a run that has not ended by then is
 * `unfinished`, which is never a failure of the host.
 */
export async function followRun(probe: Probe, handle: HostHandle, runId: string): Promise<FollowedRun> {
  const following: Following = {
    handle,
    runId,
    probe,
    deadline: Date.now() + 3 * probe.timeoutMs,
    exchanges: [],
  };
  return (await byStream(following)) ?? (await byPolling(following));
}

async function byStream(following: Following): Promise<FollowedRun | undefined> {
  const events: RunEvent[] = [];
  let lastEventId: string | undefined;
  for (let connection = 0; connection < STREAM_CONNECTIONS && !isOver(following); connection += 1) {
    const part = await readEventStream(following.handle, following.runId, lastEventId);
    following.exchanges.push(part.exchange.id);
    if (!part.isStream) return undefined;
    if (part.reduced) return undefined;
    events.push(...part.events);
    if (part.terminal) return ended(following, unique(events), 'sse');
    if (part.lastEventId === lastEventId) return undefined;
    lastEventId = part.lastEventId;
  }
  return undefined;
}

async function byPolling(following: Following): Promise<FollowedRun> {
  let reason = 'the run has not ended';
  for (let turn = 0; !isOver(following); turn += 1) {
    for (const read of [readLog, readPoll]) {
      const result = await read(following);
      if (result.kind === 'ended') return result;
      reason = result.reason;
    }
    try {
      await delay(PACE[Math.min(turn, PACE.length - 1)], undefined, { signal: following.probe.signal });
    } catch {
      break;
    }
  }
  return { kind: 'unfinished', reason, exchanges: following.exchanges };
}

function readLog(following: Following): Promise<FollowedRun> {
  return readEvents(following, `/v1/runs/${encodeURIComponent(following.runId)}/events`, 'json');
}

function readPoll(following: Following): Promise<FollowedRun> {
  return readEvents(following, `/v1/runs/${encodeURIComponent(following.runId)}/events/poll`, 'poll');
}

async function readEvents(following: Following, path: string, transport: 'json' | 'poll'): Promise<FollowedRun> {
  const exchange = await following.handle.exchange({ method: 'GET', path });
  following.exchanges.push(exchange.id);
  const unfinished = (reason: string): FollowedRun => ({ kind: 'unfinished', reason, exchanges: following.exchanges });
  if (exchange.kind === 'failure') return unfinished(`GET ${path}: ${exchange.reason}`);
  if (exchange.status !== 200) return unfinished(`GET ${path} answered ${exchange.status}`);
  if (!exchange.json.ok) return unfinished(`GET ${path}: ${exchange.json.message}`);
  const events = readEventList(exchange.json.value);
  if (events === undefined) return unfinished(`GET ${path} gave no list of events`);
  return ended(following, events, transport);
}

function readEventList(value: unknown): readonly RunEvent[] | undefined {
  const list = isRecord(value) ? value['events'] : value;
  if (!Array.isArray(list)) return undefined;
  const events = list.map(readRunEvent);
  return events.every((event) => event !== undefined) ? events : undefined;
}

function ended(following: Following, events: readonly RunEvent[], transport: 'sse' | 'json' | 'poll'): FollowedRun {
  const status = events.map((event) => terminalStatus(event.type)).find((found) => found !== undefined);
  const { exchanges } = following;
  if (status === undefined) return { kind: 'unfinished', reason: 'the log has no terminal event yet', exchanges };
  return { kind: 'ended', status, events, transport, exchanges };
}

function unique(events: readonly RunEvent[]): readonly RunEvent[] {
  return [...new Map(events.map((event) => [event.eventId, event])).values()];
}

function isOver(following: Following): boolean {
  return following.probe.signal.aborted || Date.now() >= following.deadline;
}
