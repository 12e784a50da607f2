import type { Tables } from './tables.ts';

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
