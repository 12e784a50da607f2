import { isObject, member, objectMember, stringMember, type JsonObject } from '../json.ts';
import type { EventDraft, RunEvent } from './event.ts';

type WaitingStatus = 'waiting-approval' | 'waiting-input' | 'waiting-external';
type RunStatus = 'pending' | 'running' | WaitingStatus | 'completed' | 'failed' | 'cancelled';

export interface RunError {
  readonly code: string;
  readonly message: string;
}

interface NodeState {
  readonly status: 'running' | 'suspended' | 'completed' | 'failed';
  /** What the node has asked somebody outside. */
  readonly interrupt?: Interrupt;
  /** Which attempt at the node this is, the first one being 1. */
  readonly attempt: number;
  /** How many events the attempt has in the log, with the node.started or node.retried that it begins with. */
  readonly events: number;
  /** What the run knew when the node started: a node that is continued must see the same again. */
  readonly before: Facts;
}

/** A question of a node, as its interrupt.requested has it. */
export interface Interrupt {
  readonly interruptId: string;
  readonly kind: string;
  readonly key: string;
  readonly resolved: boolean;
}

/** What nodes have written so far. */
interface Facts {
  readonly variables: ReadonlyMap<string, unknown>;
  readonly channels: ReadonlyMap<string, unknown>;
  /** The pinned version by change id (replay.md, Determinism guarantees 3). */
  readonly versions: ReadonlyMap<string, number>;
}

/** What a node may read of its run. */
export interface NodeView extends Facts {
  readonly options: JsonObject;
}

/** Everything that is known about a run, computed from its log and nothing else (replay.md, internals 2). */
export interface RunState extends NodeView {
  readonly status: RunStatus;
  readonly startedAt: string | undefined;
  readonly completedAt: string | undefined;
  readonly currentNodeId: string | undefined;
  readonly nodes: ReadonlyMap<string, NodeState>;
  /** Set by the first failure, before the run has ended. */
  readonly error: RunError | undefined;
  /** The node that is lost before its node.failed says so. */
  readonly failing: string | undefined;
}

const INITIAL: RunState = {
  status: 'pending',
  startedAt: undefined,
  completedAt: undefined,
  currentNodeId: undefined,
  variables: new Map(),
  channels: new Map(),
  versions: new Map(),
  nodes: new Map(),
  error: undefined,
  failing: undefined,
  options: {},
};

/** The state of a run after the given events, which must start at the log's beginning, or follow upon `before`. */
export function fold(events: readonly RunEvent[], before: RunState = INITIAL): RunState {
  return events.reduce(applyEvent, before);
}

/** The state after one more event. */
export function applyEvent(state: RunState, event: EventDraft & Pick<RunEvent, 'timestamp'>): RunState {
  const counted = countNodeEvent(state, event);
  switch (event.type) {
    case 'run.started':
      return {
        ...counted,
        status: 'running',
        startedAt: event.timestamp,
        options: isObject(event.payload) ? event.payload : {},
        variables: new Map(Object.entries(objectMember(event.payload, 'variables'))),
      };
    case 'run.completed':
      return ended(counted, event, 'completed');
    case 'run.failed':
      return { ...ended(counted, event, 'failed'), error: errorOf(event) };
    case 'run.cancelled':
      return ended(counted, event, 'cancelled');
    case 'node.started':
      return {
        ...withNode(counted, event, { status: 'running', attempt: 1, events: 1, before: factsOf(state) }),
        currentNodeId: event.nodeId,
      };
    case 'node.completed':
      return leftBy(withNode(counted, event, { status: 'completed' }));
    case 'node.retried':
      return withNode(counted, event, { attempt: attemptOf(counted, event) + 1, events: 1 });
    case 'node.failed':
      return {
        ...withNode(counted, event, { status: 'failed' }),
        error: counted.failing === undefined ? (counted.error ?? errorOf(event)) : errorOf(event),
        failing: undefined,
      };
    case 'interrupt.requested':
      return waiting(withNode(counted, event, { interrupt: interruptOf(event, false) }));
    case 'node.suspended':
      return withNode(counted, event, { status: 'suspended' });
    case 'interrupt.resolved':
      return waiting(withNode(counted, event, { interrupt: interruptOf(event, true) }));
    case 'node.resumed':
      return withNode(counted, event, { status: 'running' });
    case 'variable.changed':
      return { ...counted, variables: written(state.variables, event.payload) };
    case 'channel.written':
      return { ...counted, channels: written(state.channels, event.payload) };
    case 'version.pinned':
      return { ...counted, versions: pinned(state.versions, event.payload) };
    case 'replay.divergedAtRefusal':
      return { ...counted, error: DIVERGED_AT_REFUSAL, failing: event.nodeId };
    case 'provider.usage':
    case 'envelope.refusal':
    case 'memory.written':
    case 'log.appended':
    case 'run.annotated':
    case 'tool_invocation_started':
    case 'tool_invocation_finished':
    case 'command_committed':
    case 'runOrchestrator.decided':
    case 'node.dispatched':
    case 'core.workflowChain.event':
    case 'replay.diverged':
      return counted;
  }
}

/** Why a replay ends at a refusal that its source did not meet, or met where the replay does not (0041 §B). */
export const DIVERGED_AT_REFUSAL: RunError = {
  code: 'replay_diverged_at_refusal',
  message: 'The provider refused where the source run had an answer, or answered where the source run was refused.',
};

type FoldedEvent = Parameters<typeof applyEvent>[1];

function ended(state: RunState, event: FoldedEvent, status: RunStatus): RunState {
  return { ...state, status, completedAt: event.timestamp, currentNodeId: undefined };
}

/** The node that began last and has not ended is the current one. */
function leftBy(state: RunState): RunState {
  const [currentNodeId] = [...state.nodes].findLast(
    ([, { status }]) => status === 'running' || status === 'suspended',
  ) ?? [undefined];
  return { ...state, currentNodeId };
}

const WAITING: ReadonlyMap<string, WaitingStatus> = new Map([
  ['approval', 'waiting-approval'],
  ['external', 'waiting-external'],
  ['external-event', 'waiting-external'],
]);

/** A run waits as soon as one of its nodes has asked, until every question is answered. */
function waiting(state: RunState): RunState {
  const open = [...state.nodes.values()].find(({ interrupt }) => interrupt?.resolved === false)?.interrupt;
  return { ...state, status: open === undefined ? 'running' : (WAITING.get(open.kind) ?? 'waiting-input') };
}

function interruptOf({ payload }: FoldedEvent, resolved: boolean): Interrupt {
  const text = (name: string): string => stringMember(payload, name) ?? '';
  return { interruptId: text('interruptId'), kind: text('kind'), key: text('key'), resolved };
}

/** A report about the replay comes from outside the node. */
function countNodeEvent(state: RunState, { nodeId, type }: FoldedEvent): RunState {
  const node = nodeId === undefined || type === 'replay.diverged' ? undefined : state.nodes.get(nodeId);
  if (nodeId === undefined || node === undefined) return state;
  return { ...state, nodes: new Map(state.nodes).set(nodeId, { ...node, events: node.events + 1 }) };
}

function withNode(state: RunState, { nodeId }: FoldedEvent, change: Partial<NodeState>): RunState {
  if (nodeId === undefined) return state;
  const node: NodeState = {
    status: 'running',
    attempt: 1,
    events: 1,
    before: factsOf(state),
    ...state.nodes.get(nodeId),
    ...change,
  };
  return { ...state, nodes: new Map(state.nodes).set(nodeId, node) };
}

function written(values: ReadonlyMap<string, unknown>, payload: unknown): ReadonlyMap<string, unknown> {
  const name = stringMember(payload, 'name') ?? stringMember(payload, 'channel');
  return name === undefined ? values : new Map(values).set(name, member(payload, 'value'));
}

function attemptOf({ nodes }: RunState, { nodeId = '' }: FoldedEvent): number {
  return nodes.get(nodeId)?.attempt ?? 1;
}

function pinned(versions: ReadonlyMap<string, number>, payload: unknown): ReadonlyMap<string, number> {
  const changeId = stringMember(payload, 'changeId');
  return changeId === undefined ? versions : new Map(versions).set(changeId, Number(member(payload, 'version')));
}

function factsOf({ variables, channels, versions }: RunState): Facts {
  return { variables, channels, versions };
}

function errorOf({ payload }: FoldedEvent): RunError {
  const error = member(payload, 'error');
  return { code: stringMember(error, 'code') ?? 'unknown', message: stringMember(error, 'message') ?? '' };
}
