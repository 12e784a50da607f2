import type { LogEvent } from './event.ts';
import { isRecord, own } from './json-value.ts';
import { readEvents } from './read.ts';

/** What a run's log says about its state so far (RFC 0041 §C.2). */
export interface LogState {
  readonly status: string;
  readonly variables: ReadonlyMap<string, unknown>;
  readonly channels: ReadonlyMap<string, unknown>;
}

/** A state as plain values. */
export function plainState({ status, variables, channels }: LogState): object {
  return { status, variables: Object.fromEntries(variables), channels: Object.fromEntries(channels) };
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
export function placeOf({ type, payload }: Pick<LogEvent, 'type' | 'payload'>): StatePlace | undefined {
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
  ['external-event', 'waiting-external'],
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
  const values = { variables: new Map<string, unknown>(), channels: new Map<string, unknown>() };
  let status = 'pending';
  return {
    apply: (event) => {
      const place = placeOf(event);
      if (place?.part === 'status') status = statusAfter(event) ?? status;
      else if (place !== undefined) values[place.part].set(place.name, writtenValue(event) ?? null);
    },
    state: () => ({ status, variables: new Map(values.variables), channels: new Map(values.channels) }),
    at: ({ part, name }) => (part === 'status' ? status : values[part].get(name)),
  };
}

function statusAfter({ type, payload }: LogEvent): string | undefined {
  if (type !== 'interrupt.requested') return STATUS.get(type);
  return (isRecord(payload) ? WAITING.get(own(payload, 'kind')) : undefined) ?? 'waiting-input';
}

/** What an event says that its variable or channel holds from then on; undefined where it says it in no known member. */
export function writtenValue({ payload }: Pick<LogEvent, 'payload'>): unknown {
  if (!isRecord(payload)) return undefined;
  const value = own(payload, 'value');
  return value === undefined ? own(payload, 'next') : value;
}
