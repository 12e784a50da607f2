import type { Json, Observation } from '../../src/evidence/types.ts';
import type { LogAnswers } from '../shared/log-answers.ts';

/** The roles of the runs that this suite records. */
export const ROLES = {
  handoff: 'handoff',
  /** A run that is harvested, beside one that must not be. */
  control: 'twin',
  /** A parent whose child has not been cancelled yet. */
  live: 'waiting parent',
  suspended: 'run that asks',
  resumed: 'run after its answer',
  source: 'source',
} as const;

/** A child run as it was read under the id that its parent's log gives. */
export interface ChildObservation extends Observation {
  readonly type: 'child';
  /** The role of its parent. */
  readonly parent: string;
  readonly runId: string;
  /** The status of GET /v1/runs/{childRunId}; null where there was no answer. */
  readonly answered: number | null;
  readonly snapshot: Json;
  /** Its log, where it was read to its end, or as far as it goes. */
  readonly events: readonly Json[];
  /** Why it was not; null where it was. */
  readonly problem: string | null;
  /** How the run was answered for that its snapshot names as its parent, where that is another one; absent where it is not. */
  readonly parentAnswered?: number | null;
  /** How its log and its parent's were answered, where its own was given in no way at all; null where it was. */
  readonly logs: { readonly own: LogAnswers; readonly parents: LogAnswers } | null;
}

/** The cancellation of a child, and what it was answered. */
export interface CancelObservation extends Observation {
  readonly type: 'cancel';
  readonly runId: string;
  readonly answered: number | null;
  /** Whether the child waited for somebody by then. */
  readonly waited: boolean;
}

/** The status of a run whose decision asks somebody, before and after it was answered. */
export interface QuestionObservation extends Observation {
  readonly type: 'asked';
  /** The run's status while its question was open; null where it could not be read. */
  readonly status: string | null;
  /** The node that asks. */
  readonly nodeId: string;
  /** The status that the answer was answered with; null where there was none. */
  readonly answered: number | null;
}

/** The observations that only this suite records, by their types. */
export interface ByType {
  readonly child: ChildObservation;
  readonly cancel: CancelObservation;
  readonly asked: QuestionObservation;
}
