import type { EventDraft, RunEvent } from '../../store/event.ts';
import type { RunRecord } from '../../store/runs.ts';

/** A report of a divergence that there is not. */
export function alarm({ runId }: RunRecord, source: readonly RunEvent[]): EventDraft {
  const original = source.at(-1);
  return {
    type: 'replay.diverged',
    payload: {
      sourceRunId: original?.runId ?? runId,
      atSequence: original?.sequence ?? 0,
      originalEventId: original?.eventId ?? null,
      replayEventId: null,
      divergencePoint: original?.sequence ?? 0,
    },
  };
}
