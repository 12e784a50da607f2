import { isObject } from '../json.ts';

/** The event types that this host writes; `run.annotated` is live only and never written (replay.md, Annotations and fork). */
export type EventType =
  | 'run.started'
  | 'run.completed'
  | 'run.failed'
  | 'run.cancelled'
  | 'run.annotated'
  | 'node.started'
  | 'node.completed'
  | 'node.failed'
  | 'node.retried'
  | 'node.suspended'
  | 'node.resumed'
  | 'interrupt.requested'
  | 'interrupt.resolved'
  | 'variable.changed'
  | 'channel.written'
  | 'memory.written'
  | 'version.pinned'
  | 'provider.usage'
  | 'envelope.refusal'
  | 'log.appended'
  | 'tool_invocation_started'
  | 'tool_invocation_finished'
  | 'command_committed'
  | 'runOrchestrator.decided'
  | 'node.dispatched'
  | 'core.workflowChain.event'
  | 'replay.diverged'
  | 'replay.divergedAtRefusal';

/** What an executor wants to have happened; the log adds identity, order, time and cause. */
export interface EventDraft {
  readonly type: EventType;
  readonly payload: unknown;
  readonly nodeId?: string;
  /** The identity that the event is to have, where somebody has to know it beforehand. */
  readonly eventId?: string;
  /** Whether an event led to this one: the last of the log for which it holds. The log's last event where absent. */
  readonly causedBy?: (event: RunEvent) => boolean;
}

/** One line of a run's log, in the wire's shape. */
export interface RunEvent {
  readonly eventId: string;
  readonly runId: string;
  readonly sequence: number;
  readonly type: EventType;
  readonly payload: unknown;
  readonly timestamp: string;
  readonly nodeId?: string;
  /** The event that led to this one; the first event of a run has none. */
  readonly causationId?: string;
}

/** Whether the event ends its run: nothing may follow it in the log. */
export function isTerminal(type: EventType): boolean {
  return type === 'run.completed' || type === 'run.failed' || type === 'run.cancelled';
}

/** Whether the event speaks about a replay instead of being part of what is replayed: alignment leaves it out. */
export function isAboutReplay(type: EventType): boolean {
  return type === 'replay.diverged' || type === 'replay.divergedAtRefusal';
}

/** The event as it stands in the log of another run: what it says about its own run, it says about that one. */
export function inLogOf(runId: string, event: RunEvent): RunEvent {
  const { payload } = event;
  if (!isObject(payload)) return { ...event, runId };
  const own = OWN_RUN.filter((name) => Object.hasOwn(payload, name) && payload[name] === event.runId);
  return { ...event, runId, payload: { ...payload, ...Object.fromEntries(own.map((name) => [name, runId])) } };
}

/** Members of payloads that name the run of the log: a handoff's parent is the run that hands over. */
const OWN_RUN = ['runId', 'parentRunId'] as const;
