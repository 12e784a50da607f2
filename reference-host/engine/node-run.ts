import { member } from '../json.ts';
import { isAboutReplay, type EventDraft } from '../store/event.ts';
import type { NodeView } from '../store/fold.ts';
import type { NodeRun } from '../types/order.ts';
import type { WorkflowNode } from '../types/workflow.ts';
import type { World } from '../types/world.ts';
import { nodeKinds } from './nodes/index.ts';
import { failed, type NodeKind } from './nodes/node.ts';

/** A node that has not begun. It sees what the run knows when its node.started is written. */
export function beginning(node: WorkflowNode, world: World): NodeRun {
  const started = { type: 'node.started', nodeId: node.id, payload: { nodeId: node.id, typeId: node.typeId } } as const;
  return {
    node,
    next: () => Promise.resolve(started),
    idle: () => Promise.resolve(),
    after: (view) => going(node, nodeDrafts({ node, world, view, attempt: 1, written: 1 })),
  };
}

export interface Continued {
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
export function continuing(continued: Continued): NodeRun {
  return going(continued.node, nodeDrafts(continued));
}

function going(node: WorkflowNode, drafts: AsyncGenerator<EventDraft, void>): NodeRun {
  let step: Promise<EventDraft | undefined> | undefined;
  return {
    node,
    next: () => (step ??= drafts.next().then(({ done, value }) => (done === true ? undefined : value))),
    idle: () => Promise.allSettled([step]),
    after: () => going(node, drafts),
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
