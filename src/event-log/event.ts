import { incomparable, isRecord } from './json-value.ts';

/** One event of a recorded log (wire-contract, Documents), with the members that hosts spell differently brought together. */
export interface LogEvent {
  readonly eventId: string;
  readonly type: string;
  readonly sequence: number;
  readonly runId: string | undefined;
  readonly nodeId: string | undefined;
  readonly causationId: string | undefined;
  readonly payload: unknown;
  /** The event as it was recorded. */
  readonly raw: Readonly<Record<string, unknown>>;
  /** UTF-16 code units of the event's own text; 0 where it came as a part of one document. */
  readonly size: number;
}

/** An event, or why a value is none. */
export type ReadEvent =
  | { readonly ok: true; readonly event: LogEvent }
  | { readonly ok: false; readonly message: string };

/**
 * Reads one event; `seq` counts for `sequence` and `data` for `payload`; without either it is null. `size` is the length of
 * its text.
 */
export function readLogEvent(value: unknown, size = 0): ReadEvent {
  if (!isRecord(value)) return wrong('is not a JSON object');
  // A parsed value inherits none of these names.
  const { eventId, type } = value;
  const sequence = value['sequence'] ?? value['seq'];
  if (typeof eventId !== 'string') return wrong('has no eventId');
  if (typeof type !== 'string') return wrong('has no type');
  if (!Number.isSafeInteger(sequence) || typeof sequence !== 'number') return wrong('has no whole sequence number');
  const body = Object.hasOwn(value, 'payload') ? 'payload' : 'data';
  const problem = incomparable(value);
  if (problem !== undefined) return wrong(problem);
  const event = {
    eventId,
    type,
    sequence,
    runId: text(value['runId']),
    nodeId: text(value['nodeId']),
    causationId: text(value['causationId']),
    payload: value[body] ?? null,
    raw: value,
    size,
  };
  return { ok: true, event };
}

function wrong(what: string): ReadEvent {
  return { ok: false, message: `the event ${what}` };
}

function text(found: unknown): string | undefined {
  return typeof found === 'string' ? found : undefined;
}
