import { stringMember, type JsonObject } from '../json.ts';
import { digest, serialise } from '../recipe/cache-key.ts';
import type { Shown } from '../store/ancestry.ts';
import type { EventType } from '../store/event.ts';

/** What the record of an answer to a node's question stands for: the question with that key, whoever asked it. */
export function answerRequest(key: string): JsonObject {
  return { kind: 'core.interrupt.answer', key };
}

/** The name of that record among those of the node. */
export function answerKey(key: string): string {
  return digest(serialise(answerRequest(key)));
}

/** Whether an event is of that type and about the question with that key. */
export function isAbout(event: Shown, type: EventType, key: string): boolean {
  return event.type === type && stringMember(event.payload, 'key') === key;
}
