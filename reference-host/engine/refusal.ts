import type { HostParts } from '../parts.ts';
import type { Ancestry, Attempt } from '../store/ancestry.ts';
import type { RunEvent } from '../store/event.ts';
import { DIVERGED_AT_REFUSAL } from '../store/fold.ts';
import { envelopeKind } from '../types/provider.ts';
import type { LlmAnswer, RefusalDivergence, RefusalMeeting } from '../types/world.ts';

/** The event of a node's source that says which kind of envelope the provider gave there, to the same attempt. */
export function envelopeEvent(ancestry: Ancestry, of: Attempt): RunEvent | undefined {
  return ancestry.lastEvent(of, ({ type }) => type === 'envelope.refusal' || type === 'node.completed');
}

/** How the two answers differ in kind (0041 §B), or undefined where they do not. */
export function refusalDivergence(parts: HostParts, meeting: RefusalMeeting): RefusalDivergence | undefined {
  const { nodeId, asked, original, recorded } = meeting;
  const originalKind = original.type === 'envelope.refusal' ? 'refusal' : 'valid';
  const replayKind = envelopeKind(asked);
  if (originalKind === replayKind) return undefined;
  const refusalReason = parts.refusal.reason((replayKind === 'refusal' ? asked : recorded)?.refusalText);
  return {
    sourceRunId: original.runId,
    atSequence: original.sequence,
    originalEnvelopeKind: originalKind,
    replayEnvelopeKind: replayKind,
    originalEventId: original.eventId,
    nodeId,
    ...(refusalReason === undefined ? {} : { refusalReason }),
  };
}

/** The answer that fails the node and says why. */
export function divergedAnswer({ refusal }: HostParts, divergence: RefusalDivergence): LlmAnswer {
  const error = { ...DIVERGED_AT_REFUSAL, code: refusal.errorCode() };
  return { kind: 'diverged', payload: refusal.payload(divergence), error };
}
