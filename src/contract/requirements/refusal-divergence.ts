import type { Requirement } from '../requirement.ts';
import { must, rowsOf } from './row.ts';

/** The rows of the register's group `refusal-divergence`, in its order. */
export const refusalDivergence: readonly Requirement[] = rowsOf('refusal-divergence', [
  must('refusal.valid-to-refusal', {
    clause:
      'source valid, replay refused: replay.divergedAtRefusal is emitted and the run fails with replay_diverged_at_refusal',
    source: '0041 §B',
  }),
  must('refusal.refusal-to-valid', {
    clause: 'the inverse direction, same contract',
    source: '0041 §B',
  }),
  must('refusal.cached-response-wins', {
    clause: 'with the recorded response still in the cache, the replay uses it and calls nobody',
    source: '0041 §A',
  }),
  must('refusal.no-silent-substitution', {
    clause: 'no node after the divergence runs, and no state carries the substituted envelope',
    source: '0041 §B',
  }),
  must('refusal.payload', {
    clause:
      'sourceRunId, atSequence, originalEnvelopeKind, replayEnvelopeKind are present, the kinds differ, sourceRunId is the source',
    source: '0041 §B',
  }),
  must('refusal.locates-the-call', {
    clause: "atSequence (and originalEventId, nodeId when given) resolve to the diverging call in the source's log",
    source: 'replay Phase 4 §B',
  }),
  must('refusal.distinct-event', {
    clause: 'exactly one divergedAtRefusal, not a generic replay.diverged for that node',
    source: 'replay Phase 4 §B',
  }),
  must('refusal.precedes-failure', {
    clause: 'the divergence event stands before the terminal event in the log',
    source: '0041 §B',
  }),
  must('refusal.no-false-alarm', {
    clause: 'valid to valid and refusal to refusal raise nothing',
    source: '0041 §B',
  }),
  must('refusal.mid-graph', {
    clause: 'with several LLM nodes, only the diverging one is named and the history before it stands',
    source: '0041 §B',
  }),
  must('refusal.not-below-version-four', {
    clause: 'hosts below version 4 do not emit the event',
    source: '0041 Compatibility',
  }),
  must('refusal.reason-redacted', {
    clause: "a secret in the provider's refusal text is not leaked by refusalReason",
    source: 'replay Privacy',
  }),
  must('refusal.source-untouched', {
    clause: 'the source run is what it was',
    source: 'replay Two modes',
  }),
  must('refusal.cached-refusal', {
    clause: 'a refusal that was recorded is served from the record as an answer is',
    source: '0041 §A.6',
  }),
]);
