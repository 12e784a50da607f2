import type { Json } from '../../evidence/types.ts';
import { terminalStatus } from '../../protocol/run-status.ts';
import { isRecord, isSequence } from '../run-event.ts';

/** One event as one reading showed it: its data, and the stream's id and event lines, which are null for what has none. */
export interface Shown {
  readonly id: string | null;
  readonly name: string | null;
  readonly data: Json;
}

/** An event's number: its own member, or the id of a reduced stream event; undefined where it has none. */
export function sequenceOf(event: Shown): number | undefined {
  const sequence = shownSequence(event);
  return typeof sequence === 'number' && Number.isInteger(sequence) ? sequence : undefined;
}

/**
 * What an event shows as its number, a number or not; null for a whole event without one, which it must have
 * (wire-contract, Documents). Undefined for a reduced event that shows none: it need not.
 */
export function shownSequence({ data, id }: Shown): unknown {
  const sequence = own(data, 'sequence') ?? own(data, 'seq');
  if (sequence !== undefined && sequence !== null) return sequence;
  if (isWhole(data)) return null;
  const number = id === null || id === '' ? Number.NaN : Number(id);
  return isSequence(number) ? number : undefined;
}

function isWhole(data: Json): boolean {
  return typeof own(data, 'eventId') === 'string' && ['payload', 'data'].some((name) => own(data, name) !== undefined);
}

/**
 * Whether a stream's message stands for an event of a log: it has an id, or its data an event's id or number. Others are notices of the stream
 * itself or of the run as it is now (wire-contract, SSE; replay.md, Annotations), which nobody forbids.
 */
export function isOfLog({ id, data }: Shown): boolean {
  return (id !== null && id !== '') || ['eventId', 'sequence', 'seq'].some((name) => own(data, name) !== undefined);
}

/** An event's type: its own member, or the stream's event line. */
export function typeOf({ data, name }: Shown): string | undefined {
  const type = own(data, 'type');
  return typeof type === 'string' ? type : (name ?? undefined);
}

/** Whether an event ends its run. */
export function isTerminal(event: Shown): boolean {
  const type = typeOf(event);
  return type !== undefined && terminalStatus(type) !== undefined;
}

function own(value: unknown, name: string): unknown {
  return isRecord(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}
