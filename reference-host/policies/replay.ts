import type { JsonObject } from '../json.ts';
import type { EventDraft, RunEvent } from '../store/event.ts';
import type { RunState } from '../store/fold.ts';
import type { Observation } from '../store/observations.ts';
import type { ForkMode, RunRecord } from '../store/runs.ts';

/**
 * A nondeterministic act of a fork that another run has on record. An interrupt's answer has the kind `core.interrupt.answer`, the
 * creation of a child run `core.dispatch.child`, what became of the child `core.dispatch.end`.
 */
export interface RecordedAct {
  readonly mode: ForkMode;
  /** Whether the run that was forked is a fork itself. */
  readonly ofFork: boolean;
  readonly nodeId: string;
  readonly request: JsonObject;
}

export interface Forking {
  readonly mode: ForkMode;
  /** The whole log of the source. */
  readonly source: readonly RunEvent[];
}

/** How forks are made from their sources. */
export interface ReplayPolicy {
  /** Whether a replay executes the current code, or writes the source's events again. */
  readonly carryOut: (replay: RunRecord) => 'execute' | 'copy';
  /** The fixed history of a fork, before its events get identities of their own. */
  readonly inherited: (history: readonly RunEvent[], fork: Forking) => readonly RunEvent[];
  /** What a run's nodes begin with where the fold of its log gives `state`. */
  readonly startsFrom: (state: RunState, run: RunRecord) => RunState;
  /** What is shown of a record of another run; undefined performs the act again, and asks an interrupt again. */
  readonly observation: (recorded: Observation, act: RecordedAct) => Observation | undefined;
  /** In which order a replay writes the events of nodes that ran at the same time. */
  readonly order: (replay: RunRecord) => 'recorded' | 'definition' | 'reversed';
  /** What is written about a divergence, given the replay.diverged event about it. */
  readonly diverged: (report: EventDraft) => readonly EventDraft[];
}

/** What the host does. */
export const replayPolicy: ReplayPolicy = {
  carryOut: () => 'execute',
  inherited: (history) => history,
  startsFrom: (state) => state,
  observation: (recorded) => recorded,
  order: () => 'recorded',
  diverged: (report) => [report],
};
