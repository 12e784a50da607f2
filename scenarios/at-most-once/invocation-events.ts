import { isRecord, type RunEvent } from '../../src/host/run-event.ts';
import { eventsOf } from '../shared/compare-runs.ts';
import { nodeOf } from '../shared/read-event.ts';
import type { RunObservation } from '../shared/run-observation.ts';
import type { FixtureTool } from './fixtures.ts';

/** The three events of a tool call in a run's log, in the order in which they are written (sem §3). */
export type InvocationStep = 'started' | 'finished' | 'committed';

/** One of them, with its payload's members brought together; undefined (or null for the outcome) where the payload has none. */
export interface InvocationEvent {
  readonly step: InvocationStep;
  /** The event's place in the list that was read. */
  readonly index: number;
  readonly event: RunEvent;
  readonly nodeId: string | undefined;
  /** The idempotency key of sem §4.1. */
  readonly key: string | undefined;
  readonly attemptId: string | undefined;
  /** Who made the call, where the host says so. */
  readonly workerId: string | undefined;
  readonly toolName: string | undefined;
  /** What a host calls step and job that has names of its own beside the wire's (sem §4). */
  readonly stepId: string | undefined;
  readonly jobId: string | undefined;
  /** The arguments of a start. */
  readonly args: unknown;
  /** How a finished call ended; null where the event does not say. */
  readonly outcome: 'success' | 'failure' | null;
  /** What a finished call returned. */
  readonly result: unknown;
}

/** Whether an event of a call says that it succeeded, or at least not that it failed. */
export function isResult({ step, outcome }: Pick<InvocationEvent, 'step' | 'outcome'>): boolean {
  return step === 'finished' && outcome !== 'failure';
}

const STEPS: Readonly<Record<string, InvocationStep>> = {
  toolinvocationstarted: 'started',
  toolinvocationfinished: 'finished',
  commandcommitted: 'committed',
};

/**
 * The events of tool calls among a run's events, in their order. Types and member names are compared without case and
 * separators: the document prints them with underscores, hosts write `tool.invocation.started` and `idempotencyKey`.
 */
export function invocationEvents(events: readonly RunEvent[]): readonly InvocationEvent[] {
  return events.flatMap((event, index) => {
    const step = invocationStep(event.type);
    return step === undefined ? [] : [readInvocation(step, event, index)];
  });
}

/** Which event of a tool call a type names; undefined for every other type. */
export function invocationStep(type: string): InvocationStep | undefined {
  const name = squeezed(type);
  return Object.hasOwn(STEPS, name) ? STEPS[name] : undefined;
}

function readInvocation(step: InvocationStep, event: RunEvent, index: number): InvocationEvent {
  const { payload } = event;
  return {
    step,
    index,
    event,
    nodeId: nodeOf(event) ?? text(memberLike(payload, 'nodeId')),
    key: text(memberLike(payload, 'idempotencyKey')),
    attemptId: text(memberLike(payload, 'attemptId')),
    workerId: text(memberLike(payload, 'workerId')),
    toolName: text(memberLike(payload, 'toolName')),
    stepId: text(memberLike(payload, 'stepId')),
    jobId: text(memberLike(payload, 'jobId')),
    args: memberLike(payload, 'arguments') ?? memberLike(payload, 'args'),
    outcome: outcomeOf(memberLike(payload, 'outcome')),
    result: memberLike(payload, 'result'),
  };
}

/** A member whose name is this one but for case and separators; the exact name goes first. */
function memberLike(value: unknown, name: string): unknown {
  if (!isRecord(value)) return undefined;
  if (Object.hasOwn(value, name)) return value[name];
  const wanted = squeezed(name);
  const found = Object.keys(value).find((each) => squeezed(each) === wanted);
  return found === undefined ? undefined : value[found];
}

function squeezed(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z0-9]/gu, '');
}

function text(value: unknown): string | undefined {
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' ? value : undefined;
}

function outcomeOf(value: unknown): InvocationEvent['outcome'] {
  if (typeof value !== 'string') return null;
  if (/^(?:success|succeeded|ok)$/iu.test(value)) return 'success';
  return /^(?:failure|failed|error)$/iu.test(value) ? 'failure' : null;
}

/** The events of one tool's calls in a run's log. */
export function stepsOf(
  run: Pick<RunObservation, 'events'>,
  { nodeId }: Pick<FixtureTool, 'nodeId'>,
): readonly InvocationEvent[] {
  return invocationEvents(eventsOf(run)).filter((step) => step.nodeId === undefined || step.nodeId === nodeId);
}

/** The keys of the events that have to hold one (sem §4.1), each once, in their order: a commit may hold another one. */
export function keysOf(steps: readonly InvocationEvent[]): readonly string[] {
  return [...new Set(steps.flatMap(({ step, key }) => (step === 'committed' ? [] : (key ?? []))))];
}

/** The attempts that events name. */
export function attemptsOf(steps: readonly InvocationEvent[]): readonly string[] {
  return [...new Set(steps.flatMap(({ attemptId }) => attemptId ?? []))];
}

/** The workers that events name. */
export function workersOf(steps: readonly InvocationEvent[]): readonly string[] {
  return [...new Set(steps.flatMap(({ workerId }) => workerId ?? []))];
}

/** Whether an event has a member, at whatever depth, that is named for a key: then it is not that none was given. */
export function hasKey({ raw }: RunEvent): boolean {
  const upToNames = JSON.stringify(raw).toLowerCase().split('":').slice(0, -1);
  return upToNames.some((each) => each.slice(each.lastIndexOf('"')).includes('idempoten'));
}

/** Whether an event whose payload is shown names no key. */
export function isWithoutKey({ key, event }: InvocationEvent): boolean {
  return key === undefined && isRecord(event.payload) && !hasKey(event);
}
