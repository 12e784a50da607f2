import type { JsonObject } from '../json.ts';
import type { ChildStatus, HandoffPolicy } from '../policies/handoff.ts';
import type { RunError } from '../store/fold.ts';
import type { WorkflowNode } from './workflow.ts';

/** One handoff of a node: to whom, and what is handed over in both directions. */
export interface Handoff {
  readonly nodeId: string;
  /** What identifies it among those of its node: no counters of events, no clocks (replay.md, Phase 4 §C). */
  readonly request: JsonObject;
  /** How many children the node has created before. */
  readonly before: number;
  /** The id of the child's workflow. */
  readonly workerId: string;
  readonly inputMapping: JsonObject;
  readonly outputMapping: JsonObject;
}

/** What came of the creation of a child run. */
export type Creation =
  | { readonly kind: 'created'; readonly childRunId: string }
  /** A replay has come to what its source has not: it is carried on when the source has ended. */
  | { readonly kind: 'pending' }
  | { readonly kind: 'failed'; readonly error: RunError };

/** How a child has ended, and its values under the parent's names, whether or not they are harvested. */
export interface ChildEnd {
  readonly status: ChildStatus;
  readonly outputs: JsonObject;
  readonly error?: RunError;
}

/** The part of a run's world through which nodes hand over to child runs (rfc-0037). */
export interface Handoffs {
  readonly policy: HandoffPolicy;
  /** The supervisor whose decisions a node carries out: the one from which an edge leads to it. */
  supervisorOf(nodeId: string): WorkflowNode | undefined;
  /** Creates the child run, once for each handoff; a replay has its source's, and creates none (0041 §C). */
  create(handoff: Handoff): Creation;
  /** How the child has ended; undefined while it has not: the run is then carried on when it has. */
  end(handoff: Handoff, childRunId: string): ChildEnd | undefined;
}
