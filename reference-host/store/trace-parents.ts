import type { Tables } from './tables.ts';

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
