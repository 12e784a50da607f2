import { isDeepStrictEqual } from 'node:util';
import type { EventDraft } from '../store/event.ts';

/** Whether two events are of the same kind and of the same node, whatever they say. */
export function sameLabel(one: EventDraft, other: EventDraft): boolean {
  return one.type === other.type && one.nodeId === other.nodeId;
}

/** Whether two events say the same. Identity, order, time and cause belong to the log, not to the event. */
export function sameEvent(one: EventDraft, other: EventDraft): boolean {
  return sameLabel(one, other) && isDeepStrictEqual(asWritten(one.payload), asWritten(other.payload));
}

/** A payload as the log gives it back: without undefined members and negative zeros. */
function asWritten(payload: unknown): unknown {
  return JSON.parse(JSON.stringify(payload));
}
