import type { Json, Observation } from '../../src/evidence/types.ts';

/** One run as it was seen, to its end unless `problem` says otherwise: the whole log, and the snapshot after it. */
export interface RunObservation extends Observation {
  readonly type: 'run';
  /** What the run is to its scenario, such as `source` or `replay from 3`. */
  readonly role: string;
  /** Where the run was forked from; null for a run that is no fork. */
  readonly fork: ForkFacts | null;
  /** The status of the answer that created the run; null where there was none. */
  readonly answered: number | null;
  /** The body of that answer where it created a run. */
  readonly answer: Json;
  readonly runId: string | null;
  /** The workflow that the run was requested of, for a fork its source's; absent where nobody named one, and in old evidence. */
  readonly workflowId?: string;
  /** Why the run was not seen to its end; null where it was. */
  readonly problem: string | null;
  /**
   * Events of the log in the order in which the host gave them, as it sent them; of a run that was not seen to its end only
   * where its log cannot be followed at all (foundationBrokenBy).
   */
  readonly events: readonly Json[];
  /** GET /v1/runs/{runId} after the log was read; null where it could not be read. */
  readonly snapshot: Json;
  /** Whether that was answered with 200 and no body; absent where it was not, and in old evidence. */
  readonly snapshotIsEmpty?: true;
  /** The same read once more at once, of a run that is read before its forks, or again after them; absent in old evidence. */
  readonly snapshotAgain?: Json;
  /** Whether a snapshot showed the end with other values first, and the right ones when it was read again; absent where not, and in old evidence. */
  readonly valuesLate?: true;
  /**
   * Of a fork that was refused with 410 or 422: the first number in the log of its source as it was after that, null where it was
   * empty; absent where it was not read, and in old evidence.
   */
  readonly sourceStart?: number | null;
  /** The code and the message of an answer that refused it, cut; absent where it has none, and in old evidence. */
  readonly refusal?: string;
}

/** What a fork was made of. */
export interface ForkFacts {
  readonly sourceRunId: string | null;
  /** What was asked for. */
  readonly mode: string;
  readonly fromSeq: number | null;
  /** Whether the discovery document offers the mode: it must work then (readings, Fork and prefix). */
  readonly advertised: boolean;
  /** Whether it is a branch whose overlay was empty; absent where not, and in old evidence. */
  readonly isPlain?: true;
}
