import type { Requirement } from '../requirement.ts';
import { must, rowsOf, should } from './row.ts';

/** The rows of the register's group `fork-contract`, in its order. */
export const forkContract: readonly Requirement[] = rowsOf('fork-contract', [
  must('fork.created', {
    clause: '201 with runId, sourceRunId, fromSeq, mode, status, eventsUrl; a new run id; the URL answers',
    source: 'replay Endpoint',
  }),
  must('fork.replay-defaults-to-zero', {
    clause: '`{"mode":"replay"}` alone is a full replay',
    source: 'replay Replay-mode defaults',
  }),
  must('fork.branch-needs-from-seq', {
    clause: 'branch without fromSeq is refused with 400 (422 accepted)',
    source: 'replay Replay-mode defaults',
  }),
  must('fork.replay-refuses-overlay', {
    clause: 'replay with a non-empty runOptionsOverlay is refused with 400; an empty one is accepted',
    source: 'replay Endpoint',
  }),
  must('fork.rejects-bad-mode', {
    clause: 'a missing or unknown mode is refused with 400',
    source: 'replay Endpoint',
  }),
  must('fork.rejects-bad-from-seq', {
    clause: 'a negative, fractional or non-numeric fromSeq is refused with 400',
    source: 'replay Endpoint',
  }),
  must('fork.rejects-malformed-body', {
    clause: 'a body that is not JSON, or not an object, is refused with a 4xx and the error envelope, never a 5xx',
    source: 'replay Endpoint',
  }),
  must('fork.rejects-absent-sequence', {
    clause: 'a fromSeq past the end of the log is refused with 422 (400 accepted)',
    source: 'replay Endpoint',
  }),
  must('fork.unknown-run', {
    clause: 'an unknown source is 404',
    source: 'replay Endpoint',
  }),
  must('fork.invisible-run', {
    clause: 'a source that the caller may not see is 404, indistinguishable from an unknown one',
    source: 'replay Endpoint, Privacy',
  }),
  must('fork.requires-credentials', {
    clause: 'no credential 401; a credential without the scope 403',
    source: 'replay Endpoint',
  }),
  must('fork.idempotency-key', {
    clause: 'the same Idempotency-Key and body never creates a second run; an in-flight duplicate may be 409',
    source: 'replay Endpoint',
  }),
  should('fork.idempotency-key.other-body', {
    clause: 'another body under the Idempotency-Key of a fork is not answered with that fork',
    source: 'wire',
  }),
  must('fork.source-untouched', {
    clause: "after any fork the source's log, snapshot and status are what they were",
    source: 'replay Two modes',
  }),
  must('fork.error-envelope', {
    clause: 'every refusal carries `{error, message, details?}` and nothing else',
    source: 'replay Endpoint',
  }),
  must('fork.branch-applies-overlay', {
    clause: 'a branch starts from the projected state at fromSeq and runs with the overlay',
    source: 'replay Two modes',
  }),
  must('fork.branch-inherits-prefix', {
    clause: "the branch's history below fromSeq is the source's",
    source: 'replay Two modes',
  }),
  must('fork.branch-is-independent', {
    clause: 'the branch has its own run id and log, and finishing it changes nothing elsewhere',
    source: 'replay Two modes',
  }),
  should('fork.unadvertised-mode', {
    clause: "a mode that the host's replay block leaves out is refused, not executed",
    source: 'wire',
  }),
  must('fork.branch-acts', {
    clause: 'behind its fork point a branch acts: it calls its tools, and asks for its approvals again',
    source: 'replay Two modes, Use cases',
  }),
  should('fork.from-seq-anew', {
    clause: 'what the event at fromSeq tells of is done anew, not taken over',
    source: 'replay Endpoint table',
  }),
  should('diff.shape', {
    clause: 'the difference of a run from itself is empty, and one from no run is refused',
    source: 'wire',
  }),
  should('diff.first-divergence', {
    clause: 'the first divergence of two runs is that of their logs, and there is none where the logs are alike',
    source: 'wire',
  }),
]);
