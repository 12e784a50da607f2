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
 * Reads one event of the wire (wire-contract, Documents): `seq` counts for `sequence` and `data` for `payload`; without
 * either it is null. Returns undefined for anything that has no id, type or number.
 */
export function readRunEvent(value: unknown): RunEvent | undefined {
  if (!isRecord(value)) return undefined;
  const sequence = value['sequence'] ?? value['seq'];
  const { eventId, type } = value;
  if (typeof eventId !== 'string' || typeof type !== 'string') return undefined;
  if (!isSequence(sequence)) return undefined;
  return {
    eventId,
    type,
    sequence,
    nodeId: text(value['nodeId']),
    causationId: text(value['causationId']),
    payload: ('payload' in value ? value['payload'] : value['data']) ?? null,
    raw: value,
  };
}

/** Whether an event of a stream may be a reduced one (wire-contract, SSE): it lacks what a whole one must have. */
export function isReduced(value: unknown): boolean {
  return !isRecord(value) || readRunEvent(value) === undefined || !('payload' in value || 'data' in value);
}

/** Whether a value can number an event: what a fork request may name as fromSeq, a whole number from 0 on (replay.md, Endpoint). */
export function isSequence(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0;
}

/** Whether a value would be an event, were it not for its number. */
export function isMisnumbered(value: unknown): boolean {
  return isRecord(value) && readRunEvent(value) === undefined && readRunEvent({ ...value, sequence: 0 }) !== undefined;
}

/** Whether a value would be an event, were it not for its id or its type. */
export function isUnnamed(value: unknown): boolean {
  if (!isRecord(value) || readRunEvent(value) !== undefined) return false;
  const { eventId, type } = value;
  const isTyped = typeof type === 'string' || typeof eventId === 'string';
  return isTyped && readRunEvent({ ...value, eventId: '', type: '' }) !== undefined;
}

/** Whether a value is a JSON object. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
