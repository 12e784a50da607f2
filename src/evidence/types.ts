/** A JSON value, as it is written to and read from evidence. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

/** The first line of an evidence file: what was asked, of whom, by which version. */
export interface RunRecord {
  readonly kind: 'run';
  readonly evidenceVersion: 1;
  readonly tool: { readonly name: string; readonly version: string };
  readonly target: { readonly baseUrl: string; readonly baseUrlB?: string };
  readonly options: { readonly [name: string]: Json };
  readonly scenarios: readonly string[];
  readonly startedAt: string;
}

/** The planner's decision about one scenario, with the fact that decided it. */
export interface PlanRecord {
  readonly kind: 'plan';
  readonly scenario: string;
  readonly status: 'applicable' | 'not-applicable' | 'inconclusive';
  readonly reason: string;
  /** The check that owns the cause, where one does. */
  readonly restsOn?: string;
  /** What somebody can do so that it can be driven: all of it together. */
  readonly remedies?: readonly { readonly step: string; readonly untested?: string }[];
}

/** A body as it is kept: redacted, bounded; length and digest are those of the bytes on the wire. */
export interface BodyRecord {
  readonly text: string;
  readonly bytes: number;
  readonly sha256: string;
  readonly truncated: boolean;
}

export interface ExchangeRequestRecord {
  readonly method: string;
  readonly url: string;
  readonly headers: { readonly [name: string]: string };
  readonly body?: BodyRecord;
}

/** What came back: a response within all bounds, or the named reason why there is none. */
export type ExchangeAnswerRecord =
  | {
      readonly kind: 'response';
      readonly status: number;
      readonly headers: { readonly [name: string]: string };
      readonly body: BodyRecord;
    }
  | { readonly kind: 'failure'; readonly reason: TransportFailure; readonly message: string };

/** Why an exchange gave no usable response. `timeout` may hide a side effect; `refused` cannot. */
export type TransportFailure =
  | 'refused'
  | 'unresolvable'
  | 'timeout'
  | 'reset'
  | 'tls'
  | 'headers-too-large'
  | 'body-too-large'
  | 'encoded'
  | 'protocol'
  | 'aborted';

/** One request and what came of it. `id` is unique in the run (`x1`, `x2`, …). */
export interface ExchangeRecord {
  readonly kind: 'exchange';
  readonly id: string;
  readonly scenario: string;
  readonly request: ExchangeRequestRecord;
  readonly answer: ExchangeAnswerRecord;
  readonly startedAt: string;
  readonly durationMs: number;
}

/**
 * A typed fact that a scenario's drive recorded and its judge reads. Everything a judge needs is in the members;
 * `exchanges` points at the requests behind it. A string member `request` of the observation itself is the harness's own
 * material and is kept verbatim, as a key is recomputed from its exact text; all other strings are redacted on write.
 */
export interface Observation {
  readonly type: string;
  readonly exchanges: readonly string[];
}

/** An observation as stored: `id` is unique in the run (`o1`, `o2`, …). */
export interface ObservationRecord {
  readonly kind: 'observation';
  readonly id: string;
  readonly scenario: string;
  readonly observation: Observation;
}

/** How driving a scenario ended; a scenario without this line was cut off. One that is completed with a message ended early by that. */
export interface DrivenRecord {
  readonly kind: 'driven';
  readonly scenario: string;
  readonly outcome: 'completed' | 'timed-out' | 'error';
  readonly message?: string;
  readonly durationMs: number;
}

/** The last line: evidence without it was cut off. */
export interface EndRecord {
  readonly kind: 'end';
  readonly durationMs: number;
  /** The signal that ended the run early. */
  readonly interrupted?: 'SIGHUP' | 'SIGINT' | 'SIGTERM' | 'AbortSignal';
  /** Failed checks after which the rest was not driven, or not to its end (`--max-failures`). */
  readonly stoppedAfter?: number;
  /** What ended before all was driven: the time for the whole run (`--max-time`), or the room for its evidence. */
  readonly ranOutOf?: RanOutOf;
  /** How many lines of each kind stand before it; absent in old evidence. */
  readonly written?: { readonly exchange: number; readonly observation: number };
}

/** What a run has so much of. */
export type RanOutOf = 'time' | 'evidence';

export type EvidenceRecord = RunRecord | PlanRecord | ExchangeRecord | ObservationRecord | DrivenRecord | EndRecord;
