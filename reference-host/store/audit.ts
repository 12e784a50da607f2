import type { JsonObject } from '../json.ts';
import type { Database } from './sqlite.ts';

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

/** The audit trail on a database: records are numbered as they come, and never changed. */
export function createAuditTrail(database: Database): AuditTrail {
  const last = database.prepare('SELECT max(audit_id) AS last FROM audit');
  const insert = database.prepare('INSERT INTO audit (audit_id, run_id, source_run_id, entry) VALUES (?, ?, ?, ?)');
  const select = database.prepare('SELECT entry FROM audit WHERE run_id = ?1 OR source_run_id = ?1 ORDER BY audit_id');
  return {
    record({ runId, sourceRunId }, entry) {
      const number = Number(last.get()?.['last'] ?? 0) + 1;
      insert.run(String(number).padStart(12, '0'), runId, sourceRunId, JSON.stringify(entry));
    },
    about: (runId) => select.all(runId).map((row) => JSON.parse(String(row['entry'])) as JsonObject),
  };
}
