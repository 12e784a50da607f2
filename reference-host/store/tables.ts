/** A value as every kind of table keeps it; JSON goes in as text. */
export type Value = string | number | null;

export type Row = Readonly<Record<string, Value>>;

/** Which rows: those whose columns have these values. */
export type Where = Readonly<Record<string, string | number>>;

/** Which of those rows, in the order of their keys. */
export interface Part {
  /** Only rows whose last key column is above a number. */
  readonly above?: number;
  /** The last rows first. */
  readonly backwards?: true;
  /** At most so many. */
  readonly limit?: number;
}

/** The rows of one kind. */
export interface Table {
  /** Adds a row; where one with its key is there, `orElse` happens. Gives whether the row was written. */
  insert(row: Row, orElse?: 'throw' | 'keep' | 'replace'): boolean;
  get(where: Where): Row | undefined;
  select(where: Where, part?: Part): readonly Row[];
  /** Changes columns by which no row is found; gives the number of rows. */
  update(where: Where, change: Row): number;
  /** Removes rows, those only whose last key column is below a number where one is given; gives the number of rows. */
  remove(where: Where, below?: number): number;
}

/** The tables of a store. Using one throws when the store is closed. */
export interface Tables {
  readonly table: (name: TableName) => Table;
  /** Keeps all writes of a work together, or none when it throws. A work within a work is a part of it. */
  readonly atomically: <T>(work: () => T) => T;
  close(): void;
}

/** By which columns rows are told apart, and by which they are found besides. */
export interface Shape {
  readonly keys: readonly [string, ...string[]];
  readonly by: readonly (readonly string[])[];
}

export type TableName = keyof typeof SHAPES;

/** The tables; what else a row holds stands in database.ts. */
export const SHAPES = {
  runs: { keys: ['run_id'], by: [['parent_run_id'], ['dispatched_by']] },
  events: { keys: ['run_id', 'sequence'], by: [['run_id']] },
  llm_responses: {
    keys: ['namespace', 'invocation_id'],
    by: [['namespace', 'cache_key'], ['run_id']],
  },
  observations: { keys: ['run_id', 'node_id', 'cache_key'], by: [['run_id']] },
  invocations: { keys: ['run_id', 'idempotency_key'], by: [['run_id']] },
  attempts: { keys: ['run_id'], by: [] },
  credentials: { keys: ['key_sha256'], by: [] },
  expired_ranges: { keys: ['run_id'], by: [] },
  deletions: { keys: ['run_id', 'path'], by: [['run_id']] },
  audit: { keys: ['audit_id'], by: [['run_id'], ['source_run_id']] },
  annotations: { keys: ['annotation_id'], by: [['run_id']] },
  trace_parents: { keys: ['run_id'], by: [] },
  workflows: { keys: ['tenant', 'workflow_id'], by: [['tenant']] },
  idempotency: { keys: ['tenant', 'endpoint', 'key'], by: [] },
} as const satisfies Readonly<Record<string, Shape>>;
