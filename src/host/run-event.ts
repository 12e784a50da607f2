/** One event of a run's log as a scenario reads it; members that a host spells differently are brought together. */
export interface RunEvent {
  readonly eventId: string;
  readonly type: string;
  readonly sequence: number;
  readonly nodeId: string | undefined;
  readonly causationId: string | undefined;
  readonly payload: unknown;
  /** The event as the host sent it. */
  readonly raw: Readonly<Record<string, unknown>>;
}

/**
 * Reads one event of the wire (wire-contract, Documents): `seq` counts for `sequence` and `data` for `payload`. Returns
 * undefined for anything that lacks a required member, a reduced SSE event among them.
 */
export function readRunEvent(value: unknown): RunEvent | undefined {
  if (!isRecord(value)) return undefined;
  const sequence = value['sequence'] ?? value['seq'];
  const { eventId, type } = value;
  if (typeof eventId !== 'string' || typeof type !== 'string') return undefined;
  if (!isSequence(sequence)) return undefined;
  if (!('payload' in value) && !('data' in value)) return undefined;
  return {
    eventId,
    type,
    sequence,
    nodeId: text(value['nodeId']),
    causationId: text(value['causationId']),
    payload: 'payload' in value ? value['payload'] : value['data'],
    raw: value,
  };
}

/** Whether a value can number an event: what a fork request may name as fromSeq, a whole number from 0 on (replay.md, Endpoint). */
export function isSequence(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0;
}

/** Whether a value would be an event, were it not for its number. */
export function isMisnumbered(value: unknown): boolean {
  return isRecord(value) && readRunEvent(value) === undefined && readRunEvent({ ...value, sequence: 0 }) !== undefined;
}

/** Whether a value is a JSON object. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
