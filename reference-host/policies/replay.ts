import type { JsonObject } from '../json.ts';
import type { EventDraft, RunEvent } from '../store/event.ts';
import type { RunState } from '../store/fold.ts';
import type { Observation } from '../store/observations.ts';
import type { ForkMode, RunRecord } from '../store/runs.ts';
import type { Order } from '../types/order.ts';
import type { Workflow } from '../types/workflow.ts';

/**
 * A nondeterministic act of a fork that another run has on record. An interrupt's answer has the kind `core.interrupt.answer`, the
 * creation of a child run `core.dispatch.child`, what became of the child `core.dispatch.end`.
 */
export interface RecordedAct {
  readonly mode: ForkMode;
  /** Whether the run that was forked is a fork itself. */
  readonly ofFork: boolean;
  readonly fromSeq: number;
  readonly nodeId: string;
  readonly request: JsonObject;
}

export interface Forking {
  readonly mode: ForkMode;
  /** The whole log of the source. */
  readonly source: readonly RunEvent[];
}

/** What a replay writes from where its log ends: one event after the other. */
export type Drafts = AsyncIterable<EventDraft> | Iterable<EventDraft>;

/** A replay that goes on where its log ends. */
export interface Replaying {
  readonly run: RunRecord;
  /** The whole log of the source. */
  readonly source: readonly RunEvent[];
  /** How many events the replay's own log holds, those about replays not counted. */
  readonly position: number;
  /** Executes the current code. */
  readonly execute: () => Drafts;
}

/** How forks are made from their sources. */
export interface ReplayPolicy {
  /** How a replay is carried out. */
  readonly carryOut: (replay: Replaying) => Drafts;
  /** The fixed history of a fork, before its events get identities of their own. */
  readonly inherited: (history: readonly RunEvent[], fork: Forking) => readonly RunEvent[];
  /** What a run's nodes begin with where the fold of its log gives `state`. */
  readonly startsFrom: (state: RunState, run: RunRecord) => RunState;
  /** What is shown of a record of another run; undefined performs the act again, and asks an interrupt again. */
  readonly observation: (recorded: Observation, act: RecordedAct) => Observation | undefined;
  /** In which order a replay writes the events of nodes that run at the same time, given the source's own. */
  readonly order: (recorded: Order, workflow: Workflow) => Order;
  /** What is written about a divergence, given the replay.diverged event about it. */
  readonly diverged: (report: EventDraft) => readonly EventDraft[];
}

/** What the host does. */
export const replayPolicy: ReplayPolicy = {
  carryOut: ({ execute }) => execute(),
  inherited: (history) => history,
  startsFrom: (state) => state,
  observation: (recorded) => recorded,
  order: (recorded) => recorded,
  diverged: (report) => [report],
};
