import type { Database } from './sqlite.ts';

/** What has been deleted of a run: JSON pointers into its snapshot. The data itself is in no store any more. */
export interface Deletions {
  record(runId: string, path: string): void;
  /** The pointers, in the order of their texts. */
  of(runId: string): readonly string[];
}

/** The deletions on a database. */
export function createDeletions(database: Database): Deletions {
  const insert = database.prepare('INSERT INTO deletions (run_id, path) VALUES (?, ?) ON CONFLICT DO NOTHING');
  const select = database.prepare('SELECT path FROM deletions WHERE run_id = ? ORDER BY path');
  return {
    record: (runId, path) => void insert.run(runId, path),
    of: (runId) => select.all(runId).map((row) => String(row['path'])),
  };
}
