import { isRecord } from '../../src/host/run-event.ts';
import { eventsOf } from '../shared/compare-runs.ts';
import type { RunObservation } from '../shared/run-observation.ts';
import { nodeOf } from '../shared/node-of.ts';

/** An own member that is a text. */
export function textMember(value: unknown, name: string): string | undefined {
  const found = isRecord(value) && Object.hasOwn(value, name) ? value[name] : undefined;
  return typeof found === 'string' ? found : undefined;
}

/** The first and the last sequence number of a node in a run's log. */
export interface NodeSpan {
  readonly first: number;
  readonly last: number;
}

/** Where a node stands in a log; undefined where no event is about it. */
export function spanOf(run: Pick<RunObservation, 'events'>, nodeId: string): NodeSpan | undefined {
  return eventsOf(run)
    .filter((event) => nodeOf(event) === nodeId)
    .reduce<NodeSpan | undefined>(
      (span, { sequence }) => ({
        first: Math.min(span?.first ?? sequence, sequence),
        last: Math.max(span?.last ?? sequence, sequence),
      }),
      undefined,
    );
}

/** Whether a sequence number lies within a node's part of a log, events that name no node included. */
export function isWithin(span: NodeSpan | undefined, sequence: number): boolean {
  return span !== undefined && span.first <= sequence && sequence <= span.last;
}

/** The sequence number of a node's start; undefined where the log does not say. */
export function startOf(run: Pick<RunObservation, 'events'>, nodeId: string): number | undefined {
  return eventsOf(run).find((event) => event.type === 'node.started' && nodeOf(event) === nodeId)?.sequence;
}
