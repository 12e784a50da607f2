import { member } from '../../src/contract/discovery.ts';
import type { RunEvent } from '../../src/host/run-event.ts';

/** The node that an event is about, which the envelope or the payload names; undefined where neither does. */
export function nodeOf({ nodeId, payload }: Pick<RunEvent, 'nodeId' | 'payload'>): string | undefined {
  const named = nodeId ?? member(payload, 'nodeId');
  return typeof named === 'string' ? named : undefined;
}
