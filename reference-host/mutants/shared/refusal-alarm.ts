import type { EventDraft, RunEvent } from '../../store/event.ts';

/** A replay.divergedAtRefusal about an event of the source whose envelope the replay has in the same kind. */
export function alarm({ runId, sequence, nodeId }: RunEvent, kind: 'valid' | 'refusal'): EventDraft {
  return {
    type: 'replay.divergedAtRefusal',
    ...(nodeId === undefined ? {} : { nodeId }),
    payload: { sourceRunId: runId, atSequence: sequence, originalEnvelopeKind: kind, replayEnvelopeKind: kind },
  };
}
