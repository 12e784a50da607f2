import type { EventDraft } from '../store/event.ts';
import { isAboutReplay } from '../store/event.ts';
import type { NodeView, RunError, RunState } from './fold.ts';
import { applyEvent } from './fold.ts';
import { nodeKinds } from './nodes/index.ts';
import type { NodeOutcome } from './nodes/node.ts';
import type { Workflow, WorkflowNode } from './workflow.ts';
import { executionOrder } from './workflow.ts';
import type { World } from './world.ts';

/**
 * Everything that a run does from a folded state to its end, event by event. From an empty log's state that is the whole
 * run; from the state of a cut-off or forked log it is the rest, without repeating what the log already holds.
 */
export async function* runDrafts(workflow: Workflow, state: RunState, world: World): AsyncGenerator<EventDraft> {
  let now = state;
  for (const draft of defaults(workflow, state)) {
    now = after(now, draft);
    yield draft;
  }
  if (state.error !== undefined) return yield* rest(state, state.error);
  for (const node of executionOrder(workflow) ?? []) {
    const begun = state.nodes.get(node.id);
    if (begun?.status === 'completed') continue;
    const run = { node, world, view: { ...now, ...begun?.before }, written: begun?.events ?? 0 };
    let outcome: NodeOutcome | undefined;
    for (const drafts = nodeDrafts(run); outcome === undefined;) {
      const step = await drafts.next();
      if (step.done === true) outcome = step.value;
      else {
        now = after(now, step.value);
        yield step.value;
      }
    }
    if (outcome.kind === 'failed') {
      yield { type: 'run.failed', payload: { error: outcome.error } };
      return;
    }
  }
  yield { type: 'run.completed', payload: {} };
}

/** Default values are events, so that the variables are a fold over the log and nothing else. */
function* defaults(workflow: Workflow, state: RunState): Generator<EventDraft> {
  if (state.nodes.size > 0) return;
  for (const { name, defaultValue } of workflow.variables) {
    if (defaultValue === undefined || state.variables.has(name)) continue;
    yield { type: 'variable.changed', payload: { name, value: defaultValue } };
  }
}

/** A log that was cut between a failure and the run's end has only the end to come. */
function* rest(state: RunState, error: RunError): Generator<EventDraft> {
  for (const [nodeId, node] of state.nodes) {
    if (node.status === 'running') yield { type: 'node.failed', nodeId, payload: { nodeId, error } };
  }
  yield { type: 'run.failed', payload: { error } };
}

/** Clocks are no part of what a node may see. */
function after(state: RunState, draft: EventDraft): RunState {
  return applyEvent(state, { ...draft, timestamp: '' });
}

interface NodeRun {
  readonly node: WorkflowNode;
  readonly world: World;
  readonly view: NodeView;
  /** How many of the node's events the log already holds. Its end is never among them. */
  readonly written: number;
}

async function* nodeDrafts({ node, world, view, written }: NodeRun): AsyncGenerator<EventDraft, NodeOutcome> {
  if (written === 0) yield { type: 'node.started', nodeId: node.id, payload: { nodeId: node.id, typeId: node.typeId } };
  const kind = nodeKinds.get(node.typeId);
  const outcome: NodeOutcome =
    kind === undefined ? unknownKind(node) : yield* skipping(written - 1, kind(node, world, view));
  if (outcome.kind === 'completed') {
    yield { type: 'node.completed', nodeId: node.id, payload: { nodeId: node.id, output: outcome.output } };
  } else {
    yield { type: 'node.failed', nodeId: node.id, payload: { nodeId: node.id, error: outcome.error } };
  }
  return outcome;
}

function unknownKind(node: WorkflowNode): NodeOutcome {
  return {
    kind: 'failed',
    error: { code: 'unknown_node_type', message: `This host has no node type ${node.typeId}.` },
  };
}

/**
 * The generator's drafts without its first `count`, with its return value. A report about the replay is never among those
 * that the log holds: it says that what comes now is not what the log began with.
 */
async function* skipping<R>(count: number, drafts: AsyncGenerator<EventDraft, R>): AsyncGenerator<EventDraft, R> {
  for (let index = 0; ; index += 1) {
    const step = await drafts.next();
    if (step.done === true) return step.value;
    if (index >= count || isAboutReplay(step.value.type)) yield step.value;
  }
}
