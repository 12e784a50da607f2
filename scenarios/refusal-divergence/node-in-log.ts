import { member } from '../../src/contract/discovery.ts';
import type { RunEvent } from '../../src/host/run-event.ts';
import { eventsOf } from '../shared/compare-runs.ts';
import { nodeOf } from '../shared/read-event.ts';
import type { RunObservation } from '../shared/run-observation.ts';
import { outputIn } from '../shared/shown-values.ts';

/** An own member that is a text. */
export function textMember(value: unknown, name: string): string | undefined {
  const found = member(value, name);
  return typeof found === 'string' ? found : undefined;
}

/** The sequence number in a divergence's payload; undefined where it is none. */
export function placeIn({ payload }: RunEvent): number | undefined {
  const at = member(payload, 'atSequence');
  return typeof at === 'number' && Number.isInteger(at) && at >= 0 ? at : undefined;
}

/** Whether a divergence says anywhere which call it is about: by a place in a log, an event or a node. A place that is none says it nowhere. */
export function namesCall(event: RunEvent): boolean {
  const { payload } = event;
  if (member(payload, 'atSequence') !== undefined && placeIn(event) === undefined) return false;
  const names = [textMember(payload, 'originalEventId'), textMember(payload, 'nodeId'), nodeOf(event), placeIn(event)];
  return names.some((name) => name !== undefined);
}

/** The first and the last sequence number of a node in a run's log. */
export interface NodeSpan {
  readonly first: number;
  readonly last: number;
}

type Log = Pick<RunObservation, 'events'>;

/** Where a node stands in a log; undefined where no event is about it. */
export function spanOf(run: Log, nodeId: string): NodeSpan | undefined {
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
export function startOf(run: Log, nodeId: string): number | undefined {
  return eventsOf(run).find((event) => event.type === 'node.started' && nodeOf(event) === nodeId)?.sequence;
}

/** What a node completed with: its output, or all that its event says where none is named; null where there is no event. */
export function outputOf(run: Log, nodeId: string): unknown {
  const completed = eventsOf(run).find((event) => event.type === 'node.completed' && nodeOf(event) === nodeId);
  return outputIn(completed?.payload) ?? completed?.payload ?? null;
}
