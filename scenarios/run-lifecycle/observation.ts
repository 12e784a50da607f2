import type { Observation } from '../../src/evidence/types.ts';
import type { LogAnswers } from '../shared/log-answers.ts';

/** Which workflow a run is of, and how whatever of it was not read is answered. */
export interface TriedObservation extends Observation {
  readonly type: 'tried';
  readonly workflowId: string;
  /** Whether the discovery document names the workflow. */
  readonly named: boolean;
  /** The role of its run among the runs. */
  readonly role: string;
  /** How each way to its log is answered; null where none was asked for. */
  readonly log: LogAnswers | null;
  /** The same for its snapshot. */
  readonly snapshot: number | null;
  /** Whether that answer is a JSON object; absent where nothing was asked, and in older evidence. */
  readonly snapshotIsObject?: boolean;
  /** Why there was no such answer, or none of which the content is known; absent where there was one. */
  readonly snapshotUnread?: string;
}

/** A snapshot that came to agree with its log, a while after it. */
export interface LateObservation extends Observation {
  readonly type: 'late';
  readonly role: string;
}

/** The row of the request for a stream that is to go on after one of its events. */
export const RESUME = 'resume';

/** A mode that there is not, and the exclusive one beside another. */
export const UNKNOWN = 'conformance-unknown';
export const EXCLUSIVE = 'values,updates';

/** The row of readings in these modes as requests, whose refusals are looked at. */
export const UNKNOWN_MODE = 'unknown-mode';

/** What one stream mode showed of a log. */
export interface StreamModeObservation extends Observation {
  readonly type: 'stream-mode';
  /** Null where the request named none. */
  readonly mode: string | null;
  /** Null where there was no answer. */
  readonly status: number | null;
  /** The types of the events, in order. */
  readonly types: readonly string[];
  /** There where the stream failed before its end: what follows was not seen. */
  readonly cut?: true;
}
