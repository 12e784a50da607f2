import { type LogBatch, readEvents } from '../src/event-log/read.ts';

/** An event as a log holds it; members that the type does not name may stand beside. */
export interface WireEvent {
  readonly eventId: string;
  readonly runId: string;
  readonly type: string;
  readonly sequence: number;
  readonly timestamp: string;
  readonly nodeId?: string;
  readonly causationId?: string;
  readonly payload: unknown;
  readonly [member: string]: unknown;
}

/** What an event says, before a log gives it identity, order and cause. */
export type Said = Pick<WireEvent, 'type' | 'nodeId' | 'payload'>;

export function event(type: string, nodeId: string | undefined, payload: unknown): Said {
  return { type, payload, ...(nodeId === undefined ? {} : { nodeId }) };
}

/** A log of these events under a run id: ids, numbers from 0, each event caused by the one before. */
export function log(events: readonly Said[], runId = 'run-s'): readonly WireEvent[] {
  const id = (sequence: number): string => `evt-${runId.slice(-1)}-${sequence}`;
  return events.map(({ type, nodeId, payload }, sequence) => ({
    eventId: id(sequence),
    runId,
    type,
    sequence,
    timestamp: new Date(Date.UTC(2026, 3, 1, runId.length) + sequence).toISOString(),
    ...(nodeId === undefined ? {} : { nodeId }),
    ...(sequence === 0 ? {} : { causationId: id(sequence - 1) }),
    payload: JSON.parse(JSON.stringify(payload).replaceAll('run-s', runId)) as unknown,
  }));
}

/** The same log under another run id: other event ids and clocks, causes renamed with them. */
export function renamed(events: readonly WireEvent[], runId: string): readonly WireEvent[] {
  return log(events, runId).map((each) => ({ ...each, timestamp: '2026-05-05T05:05:05.000Z' }));
}

/** A log that comes in pieces of a few events. */
export async function* inPieces(values: readonly unknown[]): AsyncGenerator<LogBatch> {
  for (let start = 0; start < values.length; start += 7) yield readEvents(values.slice(start, start + 7));
}
