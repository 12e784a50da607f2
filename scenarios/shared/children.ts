import { member } from '../../src/contract/discovery.ts';
import type { RunEvent } from '../../src/host/run-event.ts';

/** A transition of a handoff (0037 §B). */
export const CHAIN_EVENT = 'core.workflowChain.event';
const DISPATCHED = 'node.dispatched';

/** The child run that an event names, as a transition or as node.dispatched. */
export function childNamedBy({ type, payload }: RunEvent): string | undefined {
  const childRunId = type === CHAIN_EVENT || type === DISPATCHED ? member(payload, 'childRunId') : undefined;
  return typeof childRunId === 'string' ? childRunId : undefined;
}

/** The child runs that events name, each once. */
export function childrenNamedIn(events: readonly RunEvent[]): readonly string[] {
  return [...new Set(events.flatMap((event) => childNamedBy(event) ?? []))];
}
