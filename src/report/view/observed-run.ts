import { member } from '../../contract/discovery.ts';
import { present } from '../../contract/present.ts';
import type { Observation } from '../../evidence/types.ts';
import type { RunHead } from './timeline/model.ts';

/** A run as evidence shows it. */
export interface ObservedRun {
  readonly head: RunHead;
  readonly events: readonly unknown[];
}

/** The run that was observed, with its log; undefined where no run was, or none of its log. */
export function observedRun(observation: Observation): ObservedRun | undefined {
  const [runId, events] = [textOf(observation, 'runId'), member(observation, 'events')];
  if (observation.type !== 'run' || runId === undefined) return undefined;
  if (!Array.isArray(events) || events.length === 0) return undefined;
  const [snapshot, fork] = [member(observation, 'snapshot'), member(observation, 'fork')];
  const head = {
    runId,
    label: textOf(observation, 'role') ?? 'run',
    children: [],
    ...present({
      workflowId: textOf(observation, 'workflowId'),
      status: textOf(snapshot, 'status'),
      startedAt: textOf(snapshot, 'startedAt') ?? textOf(events[0], 'timestamp'),
      completedAt: textOf(snapshot, 'completedAt'),
      error: textOf(member(snapshot, 'error'), 'code'),
      parentRunId: textOf(fork, 'sourceRunId'),
      forkMode: textOf(fork, 'mode'),
      fromSeq: numberOf(fork, 'fromSeq'),
    }),
  };
  return { head, events };
}

/** A member that is a text; undefined for anything else. */
export function textOf(value: unknown, name: string): string | undefined {
  const found = member(value, name);
  return typeof found === 'string' ? found : undefined;
}

/** A member that is a number; undefined for anything else. */
export function numberOf(value: unknown, name: string): number | undefined {
  const found = member(value, name);
  return typeof found === 'number' ? found : undefined;
}
