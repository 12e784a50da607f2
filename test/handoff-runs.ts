import type { Json } from '../src/evidence/types.ts';
import type { ChildObservation } from '../scenarios/handoff-state-machine/observation.ts';
import type { RunObservation } from '../scenarios/shared/run-observation.ts';
import type { Recorded } from '../src/runner/scenario.ts';
import { recordedRun } from './recorded-runs.ts';

/** One event of a log that is written by hand; `by` is the name of the event that caused it, or an id that is none. */
export interface Entry {
  readonly as: string;
  readonly type: string;
  readonly payload?: Json;
  readonly by?: string;
  readonly nodeId?: string;
  /** Stands for the place in the log. */
  readonly sequence?: number;
}

export const [PARENT, CHILD, WORKER] = ['run-parent', 'run-child', 'the-worker'] as const;

export function decided(as: string, kind: string, nextWorkerIds?: readonly string[]): Entry {
  const decision = { kind, ...(nextWorkerIds === undefined ? {} : { nextWorkerIds }) };
  return { as, type: 'runOrchestrator.decided', payload: { agentId: 'agent', decision }, nodeId: 'dispatch' };
}

/** A transition; its payload names a worker, and the child where the phase knows one. */
export function transition(as: string, phase: string, by: string, more: { readonly [key: string]: Json } = {}): Entry {
  const hasChild = phase !== 'dispatch.began' && phase !== 'dispatch.failed';
  const child = hasChild ? { childRunId: CHILD } : {};
  const payload = { phase, workerId: WORKER, parentRunId: PARENT, ...child, ...more };
  return { as, by, type: 'core.workflowChain.event', payload, nodeId: 'dispatch' };
}

export function changed(as: string, name: string, value: Json): Entry {
  return { as, type: 'variable.changed', payload: { name, value } };
}

export function entryOf(as: string, type: string, payload: Json = {}): Entry {
  return { as, type, payload };
}

/** A handoff that goes the whole way. */
export const HAPPY: readonly Entry[] = [
  entryOf('start', 'run.started'),
  decided('decision', 'next-worker', [WORKER]),
  transition('began', 'dispatch.began', 'decision'),
  transition('succeeded', 'dispatch.succeeded', 'began'),
  entryOf('node', 'node.dispatched', { childRunId: CHILD, childWorkflowId: WORKER }),
  transition('completed', 'child.completed', 'succeeded'),
  changed('mapped', 'parentResult', 'handoff-complete'),
  transition('harvested', 'output.harvested', 'completed', { harvestedKeys: ['parentResult'] }),
  decided('end', 'terminate'),
  entryOf('over', 'run.completed'),
];

/** The transitions of one worker, whose child is named after it. */
export function worker(id: string, by: string): readonly Entry[] {
  const more = { workerId: id, childRunId: `run-${id}` };
  return [
    transition(`${id} began`, 'dispatch.began', by, { workerId: id }),
    transition(`${id} succeeded`, 'dispatch.succeeded', `${id} began`, more),
    transition(`${id} completed`, 'child.completed', `${id} succeeded`, more),
    transition(`${id} harvested`, 'output.harvested', `${id} completed`, more),
  ];
}

/** A handoff to two workers of one decision, one after the other. */
export const BOTH: readonly Entry[] = [
  entryOf('start', 'run.started'),
  decided('decision', 'next-worker', ['teller', 'echo']),
  ...worker('teller', 'decision'),
  ...worker('echo', 'decision'),
  decided('end', 'terminate'),
  entryOf('over', 'run.completed'),
];

/** The same, side by side. */
export const SIDE_BY_SIDE: readonly Entry[] = [
  ...BOTH.slice(0, 2),
  ...interleaved(worker('teller', 'decision'), worker('echo', 'decision')),
  ...BOTH.slice(-2),
];

function interleaved(first: readonly Entry[], second: readonly Entry[]): readonly Entry[] {
  return first.flatMap((each, index) => [each, second[index] ?? each]);
}

/** Two turns with a worker each. */
export const RELAYED: readonly Entry[] = [
  entryOf('start', 'run.started'),
  decided('decision', 'next-worker', ['teller']),
  ...worker('teller', 'decision'),
  decided('second', 'next-worker', ['echo']),
  ...worker('echo', 'second'),
  ...BOTH.slice(-2),
];

/** A log without the events of these names. */
export function without(log: readonly Entry[], ...names: readonly string[]): readonly Entry[] {
  return log.filter(({ as }) => !names.includes(as));
}

/** A log in which the event of a name is another one. */
export function replaced(log: readonly Entry[], name: string, change: Partial<Entry>): readonly Entry[] {
  return log.map((entry) => (entry.as === name ? { ...entry, ...change } : entry));
}

/** A log with more events behind the one of a name. */
export function after(log: readonly Entry[], name: string, ...more: readonly Entry[]): readonly Entry[] {
  return log.flatMap((entry) => (entry.as === name ? [entry, ...more] : [entry]));
}

/** The run with this log, read to its end. */
export function handoffRun(
  log: readonly Entry[],
  more: Partial<RunObservation> & { readonly id?: string } = {},
): Recorded<RunObservation> {
  const runId = more.runId ?? PARENT;
  const snapshot = {
    runId,
    workflowId: 'parent',
    status: 'completed',
    variables: { parentResult: 'handoff-complete' },
  };
  return recordedRun(runId, { role: 'handoff', events: eventsOf(log, runId), snapshot, ...more });
}

/** Its child, read to its end. */
export function childRun(more: Partial<ChildObservation> = {}): Recorded<ChildObservation> {
  const log = [
    entryOf('start', 'run.started'),
    { ...entryOf('node', 'node.started'), nodeId: 'work' },
    entryOf('over', 'run.completed'),
  ];
  const runId = more.runId ?? CHILD;
  return {
    id: 'o2',
    type: 'child',
    parent: 'handoff',
    runId,
    answered: 200,
    snapshot: { runId, workflowId: WORKER, status: 'completed', variables: { childOutcome: 'handoff-complete' } },
    events: eventsOf(log, runId),
    problem: null,
    logs: null,
    exchanges: ['x2'],
    ...more,
  };
}

/** The wire form of a log. */
export function eventsOf(log: readonly Entry[], runId: string): readonly Json[] {
  const ids = new Map(log.map(({ as }, index) => [as, `${runId}-${index}`]));
  return log.map(({ as, type, payload = {}, by, nodeId, sequence }, index) => ({
    eventId: ids.get(as) ?? '',
    runId,
    type,
    sequence: sequence ?? index,
    payload,
    timestamp: '2026-01-01T00:00:00.000Z',
    ...(by === undefined ? {} : { causationId: ids.get(by) ?? by }),
    ...(nodeId === undefined ? {} : { nodeId }),
  }));
}
