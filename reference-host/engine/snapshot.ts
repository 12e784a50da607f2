import { member, type JsonObject } from '../json.ts';
import type { RunView } from './run-service.ts';

/** The members of a snapshot whose content comes from runs' inputs, tools, models and people. */
export const FROM_OUTSIDE = ['variables', 'channels', 'error', 'tags', 'metadata'];

/** A run's snapshot in the wire's shape. Members without a value are left out. */
export function snapshot({ run, state }: RunView): JsonObject {
  return {
    runId: run.runId,
    workflowId: run.workflowId,
    status: state.status,
    ...given('startedAt', state.startedAt),
    ...given('completedAt', state.completedAt),
    ...given('currentNodeId', state.currentNodeId),
    variables: Object.fromEntries(state.variables),
    channels: Object.fromEntries(state.channels),
    ...given('error', state.status === 'failed' ? state.error : undefined),
    tags: member(state.options, 'tags') ?? [],
    metadata: member(state.options, 'metadata') ?? {},
    ...given('parentRunId', run.fork?.parentRunId ?? run.dispatchedBy?.runId),
    ...given('parentNodeId', run.dispatchedBy?.nodeId),
    ...given('forkMode', run.fork?.mode),
    nodeStates: Object.fromEntries([...state.nodes].map(([nodeId, { status }]) => [nodeId, { status }])),
  };
}

function given(name: string, value: unknown): JsonObject {
  return value === undefined ? {} : { [name]: value };
}
