import type { JsonObject } from '../json.ts';
import type { Tables } from './tables.ts';

/** What somebody says about a run, beside its log (replay.md, Annotations and fork). */
export interface Annotation {
  readonly annotationId: string;
  readonly runId: string;
  readonly signal: JsonObject;
  readonly note?: string;
  /** ISO 8601. */
  readonly createdAt: string;
}

/** The annotations of every run. They are no part of any log, and no fork has those of its source. */
export interface AnnotationStore {
  add(annotation: Annotation): void;
  /** A run's annotations in the order of their ids, which is the order of their making. */
  of(runId: string): readonly Annotation[];
}

/** The annotations in a store's tables. */
export function createAnnotationStore({ table }: Tables): AnnotationStore {
  const annotations = table('annotations');
  return {
    add(annotation) {
      const { annotationId, runId } = annotation;
      annotations.insert({ annotation_id: annotationId, run_id: runId, annotation: JSON.stringify(annotation) });
    },
    of: (runId) =>
      annotations.select({ run_id: runId }).map((row) => JSON.parse(String(row['annotation'])) as Annotation),
  };
}

/** What has been deleted of a run: JSON pointers into its snapshot. The data itself is in no store any more. */
export interface Deletions {
  record(runId: string, path: string): void;
  /** The pointers, in the order of their texts. */
  of(runId: string): readonly string[];
}

/** The deletions in a store's tables. */
export function createDeletions({ table }: Tables): Deletions {
  const deletions = table('deletions');
  return {
    record: (runId, path) => void deletions.insert({ run_id: runId, path }, 'keep'),
    of: (runId) => deletions.select({ run_id: runId }).map((row) => String(row['path'])),
  };
}

/** Which runs an audit record is about. */
interface AuditedFork {
  readonly runId: string;
  readonly sourceRunId: string;
}

export interface AuditTrail {
  record(fork: AuditedFork, entry: JsonObject): void;
  /** The records about a run, as source or as fork, the oldest first. */
  about(runId: string): readonly JsonObject[];
}

/** The audit trail in a store's tables: records are numbered as they come, and never changed. */
export function createAuditTrail({ table }: Tables): AuditTrail {
  const audit = table('audit');
  return {
    record({ runId, sourceRunId }, entry) {
      const [last] = audit.select({}, { backwards: true, limit: 1 });
      const auditId = String(Number(last?.['audit_id'] ?? 0) + 1).padStart(12, '0');
      audit.insert({ audit_id: auditId, run_id: runId, source_run_id: sourceRunId, entry: JSON.stringify(entry) });
    },
    about: (runId) =>
      [...audit.select({ run_id: runId }), ...audit.select({ source_run_id: runId })]
        .toSorted((a, b) => Number(a['audit_id']) - Number(b['audit_id']))
        .map((row) => JSON.parse(String(row['entry'])) as JsonObject),
  };
}

/** The span of a caller, in lowercase hexadecimal. */
export interface TraceParent {
  readonly traceId: string;
  readonly spanId: string;
}

/** Which span of a caller a run belongs to. A run whose caller had none is not here. */
export interface TraceParents {
  record(runId: string, parent: TraceParent): void;
  get(runId: string): TraceParent | undefined;
}

/** The callers' spans in a store's tables. */
export function createTraceParents({ table }: Tables): TraceParents {
  const parents = table('trace_parents');
  return {
    record(runId, { traceId, spanId }) {
      parents.insert({ run_id: runId, trace_id: traceId, span_id: spanId });
    },
    get(runId) {
      const row = parents.get({ run_id: runId });
      return row === undefined ? undefined : { traceId: String(row['trace_id']), spanId: String(row['span_id']) };
    },
  };
}
