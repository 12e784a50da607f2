import type { EventDraft } from '../../store/event.ts';
import type { NodeView, RunError } from '../../store/fold.ts';
import type { WorkflowNode } from '../../types/workflow.ts';
import type { World } from '../../types/world.ts';

export type NodeOutcome =
  | { readonly kind: 'completed'; readonly output: unknown }
  /** `isFinal` where another attempt must not be made. */
  | { readonly kind: 'failed'; readonly error: RunError; readonly isFinal?: boolean }
  /** Nothing more to do until somebody outside has answered; the node is then run again. */
  | { readonly kind: 'suspended' };

/** The outcome of a node that failed. */
export function failed(code: string, message: string): NodeOutcome {
  return { kind: 'failed', error: { code, message } };
}

/**
 * What a node kind does: yields the events between node.started and node.completed, returns how it ended. Given the
 * same node, view and answers of the world it must yield the same events: a cut-off node is continued by running it
 * again and skipping what the log already holds. `attempt` is the number of the attempt at the node, from 1 on.
 */
export type NodeKind = (
  node: WorkflowNode,
  world: World,
  view: NodeView,
  attempt: number,
) => AsyncGenerator<EventDraft, NodeOutcome>;
