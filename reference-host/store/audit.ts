import type { JsonObject } from '../json.ts';
import type { Tables } from './tables.ts';

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
