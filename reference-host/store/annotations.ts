import type { JsonObject } from '../json.ts';
import type { Database } from './sqlite.ts';

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

/** The annotations on a database. */
export function createAnnotationStore(database: Database): AnnotationStore {
  const insert = database.prepare('INSERT INTO annotations (annotation_id, run_id, annotation) VALUES (?, ?, ?)');
  const select = database.prepare('SELECT annotation FROM annotations WHERE run_id = ? ORDER BY annotation_id');
  return {
    add(annotation) {
      insert.run(annotation.annotationId, annotation.runId, JSON.stringify(annotation));
    },
    of: (runId) => select.all(runId).map((row) => JSON.parse(String(row['annotation'])) as Annotation),
  };
}
