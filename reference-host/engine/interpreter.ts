import { member } from '../json.ts';
import { type EventDraft, isAboutReplay } from '../store/event.ts';
import { applyEvent, type RunError, type RunState, type NodeView } from '../store/fold.ts';
import type { NodeRun, Order } from '../types/order.ts';
import { forwardEdges, type Workflow, type WorkflowNode } from '../types/workflow.ts';
import type { World } from '../types/world.ts';
import { nodeKinds } from './nodes/index.ts';
import { failed, type NodeKind } from './nodes/node.ts';

/** A node that has not begun. It sees what the run knows when its node.started is written. */
function beginning(node: WorkflowNode, world: World): NodeRun {
  const started = { type: 'node.started', nodeId: node.id, payload: { nodeId: node.id, typeId: node.typeId } } as const;
  return {
    node,
    next: () => Promise.resolve(started),
    idle: () => Promise.resolve(),
    after: (view) => onItsWay(node, nodeDrafts({ node, world, view, attempt: 1, written: 1 })),
  };
}

interface Continued {
  readonly node: WorkflowNode;
  readonly world: World;
  /** What the run knew when the node began. */
  readonly view: NodeView;
  /** The attempt at the node that the log ends in. */
  readonly attempt: number;
  /** How many events of the attempt, the one that it begins with among them, the log holds. The node's end is never among them. */
  readonly written: number;
}

/** A node whose log was cut off: its last attempt is run again from its beginning, without what the log already holds. */
function continuing(continued: Continued): NodeRun {
  return onItsWay(continued.node, nodeDrafts(continued));
}

function onItsWay(node: WorkflowNode, drafts: AsyncGenerator<EventDraft, void>): NodeRun {
  let step: Promise<EventDraft | undefined> | undefined;
  return {
    node,
    next: () => (step ??= drafts.next().then(({ done, value }) => (done === true ? undefined : value))),
    idle: () => Promise.allSettled([step]),
    after: () => onItsWay(node, drafts),
  };
}

async function* nodeDrafts(continued: Continued): AsyncGenerator<EventDraft, void> {
  const { node, world, view } = continued;
  const kind = nodeKinds.get(node.typeId) ?? unknown;
  let { attempt } = continued;
  let outcome = yield* skipping(continued.written - 1, kind(node, world, view, attempt));
  while (outcome.kind === 'failed' && outcome.isFinal !== true && attempt <= retriesOf(node)) {
    attempt += 1;
    yield { type: 'node.retried', nodeId: node.id, payload: { nodeId: node.id, attempt, error: outcome.error } };
    outcome = yield* kind(node, world, view, attempt);
  }
  switch (outcome.kind) {
    case 'completed':
      yield { type: 'node.completed', nodeId: node.id, payload: { nodeId: node.id, output: outcome.output } };
      return;
    case 'failed':
      yield { type: 'node.failed', nodeId: node.id, payload: { nodeId: node.id, error: outcome.error } };
      return;
    case 'suspended':
      return;
  }
}

// oxlint-disable-next-line require-yield
const unknown: NodeKind = async function* noKind({ typeId }) {
  return { ...failed('unknown_node_type', `This host has no node type ${typeId}.`), isFinal: true };
};

/** How often a node that fails is tried again: `maxRetries` of its configuration. */
function retriesOf({ config }: WorkflowNode): number {
  const retries = member(config, 'maxRetries');
  return typeof retries === 'number' ? Math.min(retries, MOST_RETRIES) : 0;
}

const MOST_RETRIES = 10;

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

/** How many nodes of a run are on their way at the same time; those that wait for an answer do not count. */
const MAX_CONCURRENT_NODES = 4;

export interface Interpretation {
  readonly workflow: Workflow;
  readonly state: RunState;
  readonly world: World;
  readonly order: Order;
  /** Whether a node's failure ends the run. */
  readonly endsRun: (error: RunError) => boolean;
}

/**
 * Everything that a run does from a folded state to its end, event by event, or until all that is left waits for somebody
 * outside. From an empty log's state that is the whole run; from the state of a cut-off or forked log it is the rest,
 * without repeating what the log already holds. The first node that fails ends the run.
 */
export async function* runDrafts(interpretation: Interpretation): AsyncGenerator<EventDraft> {
  const { workflow, state, world, order, endsRun } = interpretation;
  let now = state;
  for (const draft of defaults(workflow, state)) {
    now = after(now, draft);
    yield draft;
  }
  if (state.error !== undefined && endsRun(state.error)) return yield* rest(state, state.error);
  let going = cutOff(workflow, state, world);
  const limit = recursionLimit(state);
  try {
    for (;;) {
      const busy = going.filter(({ node }) => now.nodes.get(node.id)?.status !== 'suspended');
      const starts = busy.length < MAX_CONCURRENT_NODES ? ready(workflow, now) : [];
      if (starts.length + going.length === 0) break;
      if (starts.length > 0 && now.nodes.size >= limit) return yield* rest(now, tooManyNodes(limit));
      const chosen = await order.choose(
        starts.map((node) => beginning(node, world)),
        going,
      );
      const { run, draft } = chosen;
      going = going.filter((each) => each !== run);
      if (draft === undefined) continue;
      now = after(now, draft);
      yield draft;
      if (isOver(now, run.node.id)) {
        if (now.error !== undefined && endsRun(now.error)) break;
      } else going = [...going, run.after(now)];
    }
    yield* end(workflow, now);
  } finally {
    // Whatever is under way is recorded before the run counts as stopped.
    await Promise.allSettled(going.map((run) => run.idle()));
  }
}

/** How many nodes a run may begin: `configurable.recursionLimit`. */
function recursionLimit({ options }: RunState): number {
  const limit = member(member(options, 'configurable'), 'recursionLimit');
  return typeof limit === 'number' ? limit : Infinity;
}

function tooManyNodes(limit: number): RunError {
  return { code: 'recursion_limit_exceeded', message: `The run may begin ${limit} nodes.` };
}

/** The nodes that the log left on their way, in the order of the definition. */
function cutOff(workflow: Workflow, state: RunState, world: World): readonly NodeRun[] {
  return workflow.nodes.flatMap((node) => {
    const begun = state.nodes.get(node.id);
    if (begun === undefined || isOver(state, node.id)) return [];
    const { attempt, before, events: written } = begun;
    return [continuing({ node, world, view: { ...state, ...before }, attempt, written })];
  });
}

/** The nodes that may begin, in the order of the definition. */
function ready(workflow: Workflow, now: RunState): readonly WorkflowNode[] {
  const edges = forwardEdges(workflow);
  return workflow.nodes.filter(
    ({ id }) => !now.nodes.has(id) && edges.every((edge) => edge.targetNodeId !== id || isOver(now, edge.sourceNodeId)),
  );
}

function isOver(now: RunState, nodeId: string): boolean {
  const status = now.nodes.get(nodeId)?.status;
  return status === 'completed' || status === 'failed';
}

/** The run's last event; none while a node waits, for somebody outside or for a child run, and nothing has failed. */
function* end({ nodes }: Workflow, now: RunState): Generator<EventDraft> {
  if (now.error !== undefined) yield { type: 'run.failed', payload: { error: now.error } };
  else if (nodes.every(({ id }) => !now.nodes.has(id) || isOver(now, id))) {
    yield { type: 'run.completed', payload: {} };
  }
}

/** Inputs of variables' names and default values are events, so that the variables are a fold over the log and nothing else. */
function* defaults(workflow: Workflow, state: RunState): Generator<EventDraft> {
  if (state.nodes.size > 0) return;
  const inputs = member(state.options, 'inputs');
  for (const { name, defaultValue } of workflow.variables) {
    const value = member(inputs, name) ?? defaultValue;
    if (value === undefined || state.variables.has(name)) continue;
    yield { type: 'variable.changed', payload: { name, value } };
  }
}

/** A log that was cut between a failure and the run's end has only the end to come. */
function* rest({ failing }: RunState, error: RunError): Generator<EventDraft> {
  if (failing !== undefined) yield { type: 'node.failed', nodeId: failing, payload: { nodeId: failing, error } };
  yield { type: 'run.failed', payload: { error } };
}

/** Clocks are no part of what a node may see. */
function after(state: RunState, draft: EventDraft): RunState {
  return applyEvent(state, { ...draft, timestamp: '' });
}
