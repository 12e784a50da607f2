import type { JsonObject } from '../json.ts';
import { isObject, member, stringMember } from '../json.ts';
import type { RunEvent } from '../store/event.ts';

type RunStatus = 'pending' | 'running' | 'completed' | 'failed' | 'cancelled';

export interface RunError {
  readonly code: string;
  readonly message: string;
}

interface NodeState {
  readonly status: 'running' | 'completed' | 'failed';
  /** How many events the node has in the log since, and with, its node.started. */
  readonly events: number;
}

/** Everything that is known about a run, computed from its log and nothing else (replay.md, internals 2). */
export interface RunState {
  readonly status: RunStatus;
  readonly startedAt: string | undefined;
  readonly completedAt: string | undefined;
  readonly currentNodeId: string | undefined;
  readonly variables: ReadonlyMap<string, unknown>;
  readonly nodes: ReadonlyMap<string, NodeState>;
  /** Set by the first failure, before the run has ended. */
  readonly error: RunError | undefined;
  /** The options the run was created with, as run.started recorded them. */
  readonly options: JsonObject;
}

const INITIAL: RunState = {
  status: 'pending',
  startedAt: undefined,
  completedAt: undefined,
  currentNodeId: undefined,
  variables: new Map(),
  nodes: new Map(),
  error: undefined,
  options: {},
};

/** The state of a run after the given events, which must start at the log's beginning. */
export function fold(events: readonly RunEvent[]): RunState {
  return events.reduce(applyEvent, INITIAL);
}

/** The state after one more event. */
function applyEvent(state: RunState, event: RunEvent): RunState {
  const counted = countNodeEvent(state, event);
  switch (event.type) {
    case 'run.started':
      return { ...counted, status: 'running', startedAt: event.timestamp, options: asObject(event.payload) };
    case 'run.completed':
      return ended(counted, event, 'completed');
    case 'run.failed':
      return { ...ended(counted, event, 'failed'), error: errorOf(event) };
    case 'run.cancelled':
      return ended(counted, event, 'cancelled');
    case 'node.started':
      return { ...withNode(counted, event, { status: 'running', events: 1 }), currentNodeId: event.nodeId };
    case 'node.completed':
      return { ...withNode(counted, event, { status: 'completed' }), currentNodeId: undefined };
    case 'node.failed':
      return { ...withNode(counted, event, { status: 'failed' }), error: counted.error ?? errorOf(event) };
    case 'variable.changed':
      return withVariable(counted, event.payload);
    case 'replay.divergedAtRefusal':
      return { ...counted, error: DIVERGED_AT_REFUSAL };
    case 'provider.usage':
    case 'envelope.refusal':
      return counted;
  }
}

/** Why a replay ends at a refusal that its source did not meet, or met where the replay does not (0041 §B). */
export const DIVERGED_AT_REFUSAL: RunError = {
  code: 'replay_diverged_at_refusal',
  message: 'The provider refused where the source run had an answer, or answered where the source run was refused.',
};

function ended(state: RunState, event: RunEvent, status: RunStatus): RunState {
  return { ...state, status, completedAt: event.timestamp, currentNodeId: undefined };
}

function countNodeEvent(state: RunState, { nodeId }: RunEvent): RunState {
  const node = nodeId === undefined ? undefined : state.nodes.get(nodeId);
  if (nodeId === undefined || node === undefined) return state;
  return { ...state, nodes: new Map(state.nodes).set(nodeId, { ...node, events: node.events + 1 }) };
}

function withNode(state: RunState, { nodeId }: RunEvent, change: Partial<NodeState>): RunState {
  if (nodeId === undefined) return state;
  const node: NodeState = { status: 'running', events: 1, ...state.nodes.get(nodeId), ...change };
  return { ...state, nodes: new Map(state.nodes).set(nodeId, node) };
}

function withVariable(state: RunState, payload: unknown): RunState {
  const name = stringMember(payload, 'name');
  if (name === undefined) return state;
  return { ...state, variables: new Map(state.variables).set(name, member(payload, 'value')) };
}

function errorOf({ payload }: RunEvent): RunError {
  const error = member(payload, 'error');
  return { code: stringMember(error, 'code') ?? 'unknown', message: stringMember(error, 'message') ?? '' };
}

function asObject(value: unknown): JsonObject {
  return isObject(value) ? value : {};
}
