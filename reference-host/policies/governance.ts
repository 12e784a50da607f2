import type { JsonObject } from '../json.ts';
import type { SecretOrigin } from '../store/expired.ts';
import type { RecordKind } from '../store/records.ts';
import type { Fork, RunRecord } from '../store/runs.ts';
import { refusal, type Answer } from '../types/answers.ts';

/** Where data of a run leaves the host. */
export type Surface =
  | 'sse'
  | 'json'
  | 'poll'
  | 'snapshot'
  | 'diff'
  | 'error'
  | 'span'
  | 'audit'
  | 'annotation'
  | 'report';

/** How a secret may be written inside another text. */
export type SpellingKind = 'plain' | 'json' | 'base64' | 'percent' | 'hex';

/** One spelling of a secret on one surface of one run. */
export interface SecretAt {
  readonly run: RunRecord;
  /** Whether the run's source is a fork itself. */
  readonly ofFork: boolean;
  /** An error in an event or a snapshot is a surface of its own, whatever it is shown with. */
  readonly surface: Surface;
  /** The stream mode of the request, for `sse` and `json`; empty where it names none. */
  readonly streamMode: string;
  readonly origin: SecretOrigin;
  readonly spelling: SpellingKind;
}

/** A fork that somebody has asked for. */
export interface ForkAsked extends Pick<Fork, 'mode' | 'fromSeq'> {
  readonly sourceRunId: string;
  /** Whether the request names `fromSeq`; otherwise it is the default. */
  readonly isExplicit: boolean;
}

/** A fork from below what is left of its source's log. */
export interface ExpiredFork extends ForkAsked {
  readonly retentionBoundary: number;
}

/** A fork of a run some of whose data was deleted. */
export interface DeletedFork extends ForkAsked {
  /** The JSON pointers of what was deleted, into the run's snapshot. */
  readonly paths: readonly string[];
}

/** Data that is to be deleted at one place that holds it. */
export interface Erasure {
  /** The run in whose records the data stands: the one that the deletion names, a fork of it or a child. */
  readonly runId: string;
  readonly path: string;
  readonly value: unknown;
  /** What holds it. */
  readonly where: RecordKind;
}

/** The audit record of a fork (replay.md, Privacy). */
export interface AuditEntry extends Pick<Fork, 'mode' | 'fromSeq'> {
  readonly action: 'run.forked';
  readonly runId: string;
  readonly sourceRunId: string;
  /** ISO 8601. */
  readonly at: string;
}

/** Retention, redaction, deleted data and audit (replay.md, Retention and Privacy). */
export interface GovernancePolicy {
  /** Whether the spelling is taken out. A secret that came in several ways has the origin of the first. */
  readonly hides: (secret: SecretAt) => boolean;
  /** The answer to a fork that needs events which have expired; undefined carries it out. */
  readonly expiredFork: (fork: ExpiredFork) => Answer | undefined;
  /** The answer to a fork of a run that has lost data by a deletion; undefined carries it out. */
  readonly deletedFork: (fork: DeletedFork) => Answer | undefined;
  /** Whether a mark takes the place of deleted data. */
  readonly erases: (erasure: Erasure) => boolean;
  /** What is kept of the fork of a run with sensitive fields, given the secrets; undefined keeps nothing. */
  readonly audit: (entry: AuditEntry, secrets: readonly string[]) => JsonObject | undefined;
}

/** What the host does. */
export const governancePolicy: GovernancePolicy = {
  hides: () => true,
  expiredFork: ({ sourceRunId, fromSeq, retentionBoundary }) => {
    const details = { sourceRunId, fromSeq, retentionBoundary };
    return refusal(410, 'event_range_expired', 'Events that this fork needs have expired.', details);
  },
  deletedFork: ({ mode, sourceRunId, fromSeq, paths }) => {
    if (mode === 'branch') return undefined;
    const details = { sourceRunId, fromSeq, paths };
    return refusal(410, 'source_data_deleted', 'Data that this replay needs was deleted.', details);
  },
  erases: () => true,
  audit: (entry) => ({ ...entry }),
};
