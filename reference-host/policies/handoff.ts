import type { JsonObject } from '../json.ts';
import type { EventDraft } from '../store/event.ts';

/** A supervisor's decision, as runOrchestrator.decided shows it (rfc-0037 §A.1). */
export interface Decision extends JsonObject {
  readonly kind: 'next-worker' | 'terminate' | 'clarify' | 'escalate';
  readonly nextWorkerIds?: readonly string[];
  readonly reason?: string;
  /** How sure the supervisor is, from 0 to 1; sure where absent. */
  readonly confidence?: number;
  /** Not made yet: somebody has to approve of it. Never shown. */
  readonly isPending?: true;
}

/** How a child run has ended. */
export type ChildStatus = 'completed' | 'failed' | 'cancelled';

/** One step of a node that hands over: what it is about to write. */
export interface HandoffStep {
  readonly kind:
    | 'decided'
    | 'asked'
    | 'answered'
    | 'dispatch.began'
    | 'dispatch.succeeded'
    | 'dispatch.failed'
    | 'child.ended'
    | 'output.harvested';
  /** How many decisions the node had made before this step's; 0 for core.subWorkflow, which makes none. */
  readonly turn: number;
  /** The step's events in their order. A step of a handoff has one core.workflowChain.event. */
  readonly drafts: readonly EventDraft[];
  /** The drafts of all steps before, as the conformant host writes them. */
  readonly earlier: readonly EventDraft[];
}

/**
 * How supervisors hand over to workers (rfc-0037). All of it is asked again when a node goes on after a wait or a restart,
 * and has to answer the same then.
 */
export interface HandoffPolicy {
  /** The turns that a plan leads to (§A): one decision each. Nothing follows the last one. */
  readonly turns: (plan: readonly Decision[]) => readonly Decision[];
  /** Whether the run waits for somebody outside after this decision (§A.1: clarify, escalate). */
  readonly asks: (decision: Decision) => boolean;
  /** The child's first variables, from `{childVariable: parentVariable}` and the parent's (§A.3, inputMapping). */
  readonly input: (mapping: JsonObject, parent: ReadonlyMap<string, unknown>) => JsonObject;
  /** The parent's new values, from `{parentVariable: childVariable}` and the child's variables (§A.3, outputMapping). */
  readonly output: (mapping: JsonObject, child: ReadonlyMap<string, unknown>) => JsonObject;
  /** Whether a child's outputs are harvested (§B). */
  readonly harvests: (status: ChildStatus, mapping: JsonObject) => boolean;
  /** What is written at a step (§B): its events, each of which may be left out, changed or joined by others. */
  readonly written: (step: HandoffStep) => readonly EventDraft[];
}

/** What the host does. */
export const handoffPolicy: HandoffPolicy = {
  turns(plan) {
    const end = plan.findIndex(({ kind }) => kind === 'terminate');
    return end === -1 ? [...plan, { kind: 'terminate' }] : plan.slice(0, end + 1);
  },
  asks: ({ kind }) => kind === 'clarify' || kind === 'escalate',
  input: mapped,
  output: mapped,
  harvests: (status, mapping) => status === 'completed' && Object.keys(mapping).length > 0,
  written: ({ drafts }) => drafts,
};

/** The named values under their new names; a variable that is not there gives none. */
function mapped(mapping: JsonObject, variables: ReadonlyMap<string, unknown>): JsonObject {
  const found = Object.entries(mapping).filter(([, from]) => typeof from === 'string' && variables.has(from));
  return Object.fromEntries(found.map(([to, from]) => [to, variables.get(String(from))]));
}
