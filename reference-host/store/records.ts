import type { Database, SqlRow } from './sqlite.ts';

/** What kind of record it is; `others` are overlays, expired states, audit records and annotations. */
export type RecordKind = 'events' | 'observations' | 'invocations' | 'responses' | 'others';

/** Something that is on record about a run, as JSON text. */
export interface RecordedJson {
  readonly kind: RecordKind;
  readonly json: string;
  /** The node that it is about, and an event's type; empty where there is none. */
  readonly nodeId: string;
  readonly type: string;
}

/** Other text for a record; undefined leaves it, `forget` takes the whole record away (overlays cannot go). */
export type Rewriting = { readonly json: string } | 'forget' | undefined;

/** Everything that is on record about runs, for changes that no record is spared. */
export interface Records {
  /** Goes through all records of a run; gives how many have changed. */
  rewrite(runId: string, change: (record: RecordedJson) => Rewriting): number;
}

interface Place {
  readonly kind: RecordKind;
  readonly table: string;
  readonly column: string;
  readonly keys: readonly string[];
  /** The column that names the run. */
  readonly run: string;
}

const PLACES: readonly Place[] = [
  { kind: 'events', table: 'events', column: 'payload', keys: ['run_id', 'sequence'], run: 'run_id' },
  {
    kind: 'observations',
    table: 'observations',
    column: 'observation',
    keys: ['run_id', 'node_id', 'cache_key'],
    run: 'run_id',
  },
  { kind: 'invocations', table: 'invocations', column: 'result', keys: ['run_id', 'idempotency_key'], run: 'run_id' },
  {
    kind: 'responses',
    table: 'llm_responses',
    column: 'response',
    keys: ['namespace', 'invocation_id'],
    run: 'run_id',
  },
  { kind: 'others', table: 'runs', column: 'fork_overlay', keys: ['run_id'], run: 'run_id' },
  { kind: 'others', table: 'expired_ranges', column: 'state', keys: ['run_id'], run: 'run_id' },
  { kind: 'others', table: 'audit', column: 'entry', keys: ['audit_id'], run: 'source_run_id' },
  { kind: 'others', table: 'annotations', column: 'annotation', keys: ['annotation_id'], run: 'run_id' },
];

/** The records on a database. */
export function createRecords(database: Database): Records {
  const places = PLACES.map((place) => {
    const { table, column, keys, run } = place;
    const named = keys.map((key) => `${key} = ?`).join(' AND ');
    return {
      place,
      select: database.prepare(`SELECT * FROM ${table} WHERE ${run} = ? AND ${column} IS NOT NULL`),
      update: database.prepare(`UPDATE ${table} SET ${column} = ? WHERE ${named}`),
      remove: database.prepare(`DELETE FROM ${table} WHERE ${named}`),
    };
  });
  return {
    rewrite(runId, change) {
      let changed = 0;
      for (const { place, select, update, remove } of places) {
        for (const row of select.all(runId)) {
          const rewriting = change(recordOf(place, row));
          if (rewriting === undefined) continue;
          const keys = place.keys.map((key) => row[key] ?? null);
          if (rewriting === 'forget') remove.run(...keys);
          else update.run(rewriting.json, ...keys);
          changed += 1;
        }
      }
      return changed;
    },
  };
}

function recordOf({ kind, column }: Place, row: SqlRow): RecordedJson {
  const text = (name: string): string => String(row[name] ?? '');
  return { kind, json: text(column), nodeId: text('node_id'), type: text('type') };
}
