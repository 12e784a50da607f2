import { type Row, SHAPES, type TableName, type Tables } from './tables.ts';

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

/** Everything that is on record about runs, for changes that no record is spared. */
export interface Records {
  /** Gives records of a run another text, where `change` has one for them; gives how many have changed. */
  rewrite(runId: string, change: (record: RecordedJson) => string | undefined): number;
}

interface Place {
  readonly kind: RecordKind;
  readonly table: TableName;
  readonly column: string;
  /** The column that names the run. */
  readonly run: string;
}

const PLACES: readonly Place[] = [
  { kind: 'events', table: 'events', column: 'payload', run: 'run_id' },
  {
    kind: 'observations',
    table: 'observations',
    column: 'observation',
    run: 'run_id',
  },
  { kind: 'invocations', table: 'invocations', column: 'result', run: 'run_id' },
  {
    kind: 'responses',
    table: 'llm_responses',
    column: 'response',
    run: 'run_id',
  },
  { kind: 'others', table: 'runs', column: 'fork_overlay', run: 'run_id' },
  { kind: 'others', table: 'expired_ranges', column: 'state', run: 'run_id' },
  { kind: 'others', table: 'audit', column: 'entry', run: 'source_run_id' },
  { kind: 'others', table: 'annotations', column: 'annotation', run: 'run_id' },
];

/** The records in a store's tables. */
export function createRecords({ table }: Tables): Records {
  const rewriteAt = (place: Place, runId: string, change: (record: RecordedJson) => string | undefined): number => {
    const rows = table(place.table);
    let changed = 0;
    for (const row of rows.select({ [place.run]: runId })) {
      const json = row[place.column] === null ? undefined : change(recordOf(place, row));
      if (json === undefined) continue;
      const keys = Object.fromEntries(SHAPES[place.table].keys.map((key) => [key, row[key] ?? '']));
      changed += rows.update(keys, { [place.column]: json });
    }
    return changed;
  };
  return {
    rewrite: (runId, change) => PLACES.reduce((changed, place) => changed + rewriteAt(place, runId, change), 0),
  };
}

function recordOf({ kind, column }: Place, row: Row): RecordedJson {
  const text = (name: string): string => String(row[name] ?? '');
  return { kind, json: text(column), nodeId: text('node_id'), type: text('type') };
}
