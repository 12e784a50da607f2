import type { ChildStatus, HandoffStep } from '../../policies/handoff.ts';
import type { EventDraft, RunEvent } from '../../store/event.ts';
import type { RunError } from '../../store/fold.ts';
import type { Handoff, World } from '../../types/world.ts';

/** Writes the steps of one node, each as the host's policy has it. */
export type Stepwise = (
  kind: HandoffStep['kind'],
  turn: number,
  drafts: readonly EventDraft[],
) => readonly EventDraft[];

/** A writer of steps that remembers those before. */
export function stepwise({ handoffs }: World): Stepwise {
  const earlier: EventDraft[] = [];
  return (kind, turn, drafts) => {
    const written = handoffs.policy.written({ kind, turn, drafts, earlier: [...earlier] });
    earlier.push(...drafts);
    return written;
  };
}

export interface HandingOver {
  readonly world: World;
  readonly step: Stepwise;
  readonly turn: number;
  readonly handoff: Handoff;
  /** Whether an event is what the handoff began with: the decision, or the node's own begin. */
  readonly cause: (event: RunEvent) => boolean;
}

export type HandoffEnd =
  | { readonly kind: 'ended'; readonly childRunId: string; readonly status: ChildStatus }
  /** There is no child. */
  | { readonly kind: 'failed'; readonly error: RunError }
  /** The child has not ended yet, or, on a replay, the source has not dispatched it yet. */
  | { readonly kind: 'suspended' };

/**
 * One handoff, from pending to its last state (rfc-0037 §B). Each transition is an event that the one before has caused; a
 * child that did not complete, or whose outputs nobody wants, is not harvested.
 */
export async function* handOver(handing: HandingOver): AsyncGenerator<EventDraft, HandoffEnd> {
  const { world, step, turn, handoff, cause } = handing;
  const { nodeId, workerId } = handoff;
  const transition = (phase: string, more: object = {}): EventDraft => ({
    type: 'core.workflowChain.event',
    nodeId,
    payload: { phase, workerId, parentRunId: world.runId, ...more },
    causedBy: phase === 'dispatch.began' ? cause : (event) => event.nodeId === nodeId && event.type === CHAIN,
  });
  yield* step('dispatch.began', turn, [transition('dispatch.began')]);
  const creation = world.handoffs.create(handoff);
  if (creation.kind === 'pending') return { kind: 'suspended' };
  if (creation.kind === 'failed') {
    yield* step('dispatch.failed', turn, [transition('dispatch.failed', { error: creation.error })]);
    return creation;
  }
  const { childRunId } = creation;
  const dispatched = { type: 'node.dispatched', nodeId, payload: { childRunId, childWorkflowId: workerId } } as const;
  yield* step('dispatch.succeeded', turn, [transition('dispatch.succeeded', { childRunId }), dispatched]);
  const end = world.handoffs.end(handoff, childRunId);
  if (end === undefined) return { kind: 'suspended' };
  const { status, outputs, error } = end;
  const why = error === undefined ? {} : { error };
  yield* step('child.ended', turn, [transition(`child.${status}`, { childRunId, ...why })]);
  if (world.handoffs.policy.harvests(status, handoff.outputMapping)) {
    const values = Object.entries(outputs).map(([name, value]): EventDraft => ({
      type: 'variable.changed',
      nodeId,
      payload: { name, value },
    }));
    const harvested = transition('output.harvested', { childRunId, harvestedKeys: Object.keys(outputs) });
    yield* step('output.harvested', turn, [...values, harvested]);
  }
  return { kind: 'ended', childRunId, status };
}

const CHAIN = 'core.workflowChain.event';
