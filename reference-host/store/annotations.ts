import type { JsonObject } from '../json.ts';
import type { Tables } from './tables.ts';

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

/** The annotations in a store's tables. */
export function createAnnotationStore({ table }: Tables): AnnotationStore {
  const annotations = table('annotations');
  return {
    add(annotation) {
      const { annotationId, runId } = annotation;
      annotations.insert({ annotation_id: annotationId, run_id: runId, annotation: JSON.stringify(annotation) });
    },
    of: (runId) =>
      annotations.select({ run_id: runId }).map((row) => JSON.parse(String(row['annotation'])) as Annotation),
  };
}
