import type { Database } from './sqlite.ts';

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

/** The callers' spans on a database. */
export function createTraceParents(database: Database): TraceParents {
  const insert = database.prepare('INSERT INTO trace_parents (run_id, trace_id, span_id) VALUES (?, ?, ?)');
  const select = database.prepare('SELECT * FROM trace_parents WHERE run_id = ?');
  return {
    record(runId, { traceId, spanId }) {
      insert.run(runId, traceId, spanId);
    },
    get(runId) {
      const row = select.get(runId);
      return row === undefined ? undefined : { traceId: String(row['trace_id']), spanId: String(row['span_id']) };
    },
  };
}
