import type { Annotation } from '../store/beside-logs.ts';
import type { EventDraft } from '../store/event.ts';

/** How much of a replay is what its source was (replay.md, Determinism scoring). */
export interface DeterminismReport {
  readonly sourceRunId: string;
  readonly replayRunId: string;
  readonly fromSeq: number;
  /** Aligned places from fromSeq on, events about replays left out. */
  readonly comparedEvents: number;
  readonly matchedEvents: number;
  /** The source's number of the first place where the two part; the replay's where only the replay has an event there. */
  readonly firstDivergenceSeq: number | null;
  /** matchedEvents / comparedEvents; null where there was nothing to compare. */
  readonly score: number | null;
}

/** What is said about runs beside their logs. */
export interface SideResourcePolicy {
  /** What is written into the log of a run when it is annotated. */
  readonly logged: (annotation: Annotation) => readonly EventDraft[];
  /** Whether those who follow a run hear of an annotation of it at once. */
  readonly isTold: (annotation: Annotation) => boolean;
  /** The determinism report of a replay as it is shown. */
  readonly report: (report: DeterminismReport) => unknown;
}

/** What the host does. */
export const sideResourcePolicy: SideResourcePolicy = {
  logged: () => [],
  isTold: () => true,
  report: (report) => report,
};
