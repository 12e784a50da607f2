import type { DeterminismReport } from '../http/determinism-report.ts';
import type { Annotation } from '../store/annotations.ts';
import type { EventDraft } from '../store/event.ts';
import type { ForkMode } from '../store/runs.ts';

/** What is said about runs beside their logs. */
export interface SideResourcePolicy {
  /** Whether a fork starts with the annotations of its source. */
  readonly inherits: (mode: ForkMode) => boolean;
  /** What is written into the log of a run when it is annotated. */
  readonly logged: (annotation: Annotation) => readonly EventDraft[];
  /** The determinism report of a replay as it is shown. */
  readonly report: (report: DeterminismReport) => unknown;
}

/** What the host does. */
export const sideResourcePolicy: SideResourcePolicy = {
  inherits: () => false,
  logged: () => [],
  report: (report) => report,
};
