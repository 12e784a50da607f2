import type { EventDraft } from '../store/event.ts';
import type { RunError, RunState } from './fold.ts';
import { applyEvent } from './fold.ts';
import type { NodeRun } from './node-run.ts';
import { beginning, continuing } from './node-run.ts';
import type { Order } from './order.ts';
import type { Workflow, WorkflowNode } from './workflow.ts';
import type { World } from './world.ts';

/** How many nodes of a run are on their way at the same time. */
const MAX_CONCURRENT_NODES = 4;

export interface Interpretation {
  readonly workflow: Workflow;
  readonly state: RunState;
  readonly world: World;
  readonly order: Order;
}

/**
 * Everything that a run does from a folded state to its end, event by event, or until all that is left waits for somebody
 * outside. From an empty log's state that is the whole run; from the state of a cut-off or forked log it is the rest,
 * without repeating what the log already holds. The first node that fails ends the run.
 */
export async function* runDrafts({ workflow, state, world, order }: Interpretation): AsyncGenerator<EventDraft> {
  let now = state;
  for (const draft of defaults(workflow, state)) {
    now = after(now, draft);
    yield draft;
  }
  if (state.error !== undefined) return yield* rest(state, state.error);
  let going = cutOff(workflow, state, world);
  try {
    for (;;) {
      const starts = going.length < MAX_CONCURRENT_NODES ? ready(workflow, now) : [];
      if (starts.length + going.length === 0) break;
      const chosen = await order.choose(
        starts.map((node) => beginning(node, world)),
        going,
      );
      const { run, draft } = chosen;
      going = going.filter((each) => each !== run);
      if (draft === undefined) continue;
      now = after(now, draft);
      yield draft;
      if (draft.type === 'node.failed') return yield { type: 'run.failed', payload: { error: now.error } };
      if (draft.type !== 'node.completed') going = [...going, run.after(now)];
    }
    const waits = workflow.nodes.some(({ id }) => now.nodes.get(id)?.status === 'suspended');
    if (!waits) yield { type: 'run.completed', payload: {} };
  } finally {
    // Whatever is under way is recorded before the run counts as stopped.
    await Promise.allSettled(going.map((run) => run.idle()));
  }
}

/** The nodes that the log left on their way, in the order of the definition. */
function cutOff(workflow: Workflow, state: RunState, world: World): readonly NodeRun[] {
  return workflow.nodes.flatMap((node) => {
    const begun = state.nodes.get(node.id);
    if (begun === undefined || begun.status === 'completed') return [];
    return [continuing({ node, world, view: { ...state, ...begun.before }, written: begun.events })];
  });
}

/** The nodes that may begin, in the order of the definition. */
function ready({ nodes, edges }: Workflow, now: RunState): readonly WorkflowNode[] {
  const completed = (nodeId: string): boolean => now.nodes.get(nodeId)?.status === 'completed';
  return nodes.filter(
    ({ id }) => !now.nodes.has(id) && edges.every((edge) => edge.targetNodeId !== id || completed(edge.sourceNodeId)),
  );
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
function* rest({ failing }: RunState, error: RunError): Generator<EventDraft> {
  if (failing !== undefined) yield { type: 'node.failed', nodeId: failing, payload: { nodeId: failing, error } };
  yield { type: 'run.failed', payload: { error } };
}

/** Clocks are no part of what a node may see. */
function after(state: RunState, draft: EventDraft): RunState {
  return applyEvent(state, { ...draft, timestamp: '' });
}
