import { member } from '../../src/contract/discovery.ts';
import type { RunEvent } from '../../src/host/run-event.ts';

/** The node that an event is about, which the envelope or the payload names; undefined where neither does. */
export function nodeOf({ nodeId, payload }: Pick<RunEvent, 'nodeId' | 'payload'>): string | undefined {
  const named = nodeId ?? member(payload, 'nodeId');
  return typeof named === 'string' ? named : undefined;
}

/** Whether two of these events have one id: then an id leads to neither of them. */
export function shareIds(events: readonly Pick<RunEvent, 'eventId'>[]): boolean {
  return new Set(events.map(({ eventId }) => eventId)).size < events.length;
}

/** The error code that a run.failed event holds, in either place (wire-contract, Documents); undefined where it holds none. */
export function codeInEvent(failed: Pick<RunEvent, 'payload'> | undefined): string | undefined {
  return text(member(member(failed?.payload, 'error'), 'code')) ?? text(member(failed?.payload, 'code'));
}

/** The error code that a snapshot holds; undefined where it holds none. */
export function codeInSnapshot(snapshot: unknown): string | undefined {
  return text(member(member(snapshot, 'error'), 'code'));
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** Whether an event says that a replay differs from its source. */
export function isDivergence({ type }: Pick<RunEvent, 'type'>): boolean {
  return type.startsWith('replay.diverged');
}

/** A transition of a handoff (0037 §B). */
export const CHAIN_EVENT = 'core.workflowChain.event';
const DISPATCHED = 'node.dispatched';

/** The child run that an event names, as a transition or as node.dispatched. */
export function childNamedBy({ type, payload }: RunEvent): string | undefined {
  const childRunId = type === CHAIN_EVENT || type === DISPATCHED ? member(payload, 'childRunId') : undefined;
  return typeof childRunId === 'string' ? childRunId : undefined;
}

/** The child runs that events name, each once: the transitions, or node.dispatched, of which no document says what it shows, where none of these does. */
export function childrenNamedIn(events: readonly RunEvent[]): readonly string[] {
  const named = events.flatMap((event) => {
    const childRunId = childNamedBy(event);
    return childRunId === undefined ? [] : [{ type: event.type, childRunId }];
  });
  const transitions = named.filter(({ type }) => type === CHAIN_EVENT);
  return [...new Set((transitions.length > 0 ? transitions : named).map(({ childRunId }) => childRunId))];
}
