import type { LogEvent } from './event.ts';
import { isRecord, own } from './json-value.ts';
import { readEvents } from './read.ts';

/** What a run's log says about its state so far (RFC 0041 §C.2). */
export interface LogState {
  readonly status: string;
  readonly variables: ReadonlyMap<string, unknown>;
  readonly channels: ReadonlyMap<string, unknown>;
}

/** A state that grows with its log: one entry for each variable and channel, whatever the number of events. */
export interface LogFold {
  apply(event: LogEvent): void;
  /** The state after the events so far, which later events do not change. */
  state(): LogState;
  /** What stands at one place of the state; undefined where nothing does. */
  at(place: StatePlace): unknown;
}

/** The place of a state that an event may change. */
export interface StatePlace {
  readonly part: 'status' | 'variables' | 'channels';
  /** The variable's or channel's name; empty for the status. */
  readonly name: string;
}

/** The one place of the state that an event may change; undefined for one that names none. */
export function placeOf({ type, payload }: LogEvent): StatePlace | undefined {
  const part = type === 'variable.changed' ? 'variables' : type === 'channel.written' ? 'channels' : 'status';
  if (part === 'status') return { part, name: '' };
  const body = isRecord(payload) ? payload : {};
  const name = part === 'variables' ? own(body, 'name') : (own(body, 'channel') ?? own(body, 'name'));
  return typeof name === 'string' ? { part, name } : undefined;
}

const STATUS: ReadonlyMap<string, string> = new Map([
  ['run.started', 'running'],
  ['run.completed', 'completed'],
  ['run.failed', 'failed'],
  ['run.cancelled', 'cancelled'],
  ['interrupt.resolved', 'running'],
]);

const WAITING: ReadonlyMap<unknown, string> = new Map([
  ['approval', 'waiting-approval'],
  ['external', 'waiting-external'],
]);

/** A state, or where and why the log cannot be read. */
export type FoldResult =
  | { readonly ok: true; readonly state: LogState }
  | { readonly ok: false; readonly at: string; readonly message: string };

/**
 * The state after the events of a log in memory, as parsed JSON. With `below`, only events whose sequence number is less
 * count: the fixed history of a fork from there (readings, Fork and prefix).
 */
export function foldEvents(values: readonly unknown[], below: number = Infinity): FoldResult {
  const read = readEvents(values);
  if (!read.ok) return read;
  const fold = createFold();
  for (const event of read.events) if (event.sequence < below) fold.apply(event);
  return { ok: true, state: fold.state() };
}

/** Starts a fold at a log's beginning. */
export function createFold(): LogFold {
  const variables = new Map<string, unknown>();
  const channels = new Map<string, unknown>();
  let status = 'pending';
  return {
    apply: ({ type, payload }) => {
      const body = isRecord(payload) ? payload : {};
      if (type === 'variable.changed') write(variables, own(body, 'name'), body);
      else if (type === 'channel.written') write(channels, own(body, 'channel') ?? own(body, 'name'), body);
      else if (type === 'interrupt.requested') status = WAITING.get(own(body, 'kind')) ?? 'waiting-input';
      else status = STATUS.get(type) ?? status;
    },
    state: () => ({ status, variables: new Map(variables), channels: new Map(channels) }),
    at: ({ part, name }) =>
      part === 'status' ? status : part === 'variables' ? variables.get(name) : channels.get(name),
  };
}

function write(values: Map<string, unknown>, name: unknown, body: Readonly<Record<string, unknown>>): void {
  if (typeof name === 'string') values.set(name, own(body, 'value') ?? own(body, 'next') ?? null);
}
