import type { Requirement } from '../requirement.ts';
import { must, rowsOf, should } from './row.ts';

/** The rows of the register's group `replay-governance`, in its order. */
export const replayGovernance: readonly Requirement[] = rowsOf('replay-governance', [
  must('retention.documented', {
    clause: 'a host that advertises replay documents its retention',
    source: 'replay Retention',
  }),
  should('retention.documented.kinds', {
    clause: 'that policy names snapshots, event logs, invocation logs and forked runs',
    source: 'replay Retention',
  }),
  must('retention.expired-range', {
    clause: 'a fork below the retention boundary is 410 or 422 with the error envelope',
    source: 'replay Retention',
  }),
  should('retention.expired-range.details', {
    clause: 'the details of that refusal name source, fromSeq and boundary',
    source: 'replay Retention',
  }),
  must('privacy.same-redaction', {
    clause: 'what the source redacts the replay redacts: a planted secret appears nowhere',
    source: 'replay Privacy',
  }),
  must('privacy.debug-bundles', {
    clause: 'debug bundles of a replay are redacted by the rules of its source',
    source: 'replay Privacy',
    excluded: 'no document says where a debug bundle is read, or what it holds',
  }),
  must('privacy.deleted-data', {
    clause: 'replay that needs deleted data fails with a canonical error and re-exposes nothing',
    source: 'replay Privacy',
  }),
  should('privacy.deletion-documented', {
    clause: 'a host that deletes data on request says how that affects replay',
    source: 'replay Privacy',
  }),
  must('privacy.same-access-checks', {
    clause: 'a replayed run can be read only by those who could read its source',
    source: 'replay Privacy',
  }),
  should('privacy.audit', {
    clause: 'forking a run with sensitive fields leaves an audit event',
    source: 'replay Privacy',
  }),
  should('score.consistent', {
    clause: "a determinism report's counts, first divergence and score agree with the two logs",
    source: 'replay Determinism scoring',
  }),
  must('region.same-fork', {
    clause: 'a fork served by another region has the same status, variables and log up to fromSeq',
    source: 'replay Cross-region',
  }),
  should('telemetry.replay-span', {
    clause: "a fork's span names its source, fromSeq and mode, and is linked to the source's span",
    source: 'replay References, wire',
  }),
  must('annotation.not-inherited', {
    clause: 'a fork starts with no annotations',
    source: 'replay Annotations',
  }),
  must('annotation.not-an-event', {
    clause: 'run.annotated is never in a persisted or replayed log',
    source: 'replay Annotations',
  }),
  should('annotation.live', {
    clause: 'run.annotated goes out on the open event streams of its run, when it is annotated',
    source: 'replay Annotations',
  }),
  must('timeline.deep-links', {
    clause: 'a Timeline View, where there is one, links to the replay endpoint for an event',
    source: 'replay Run Timeline View',
  }),
  must('recovery.layer-two-id', {
    clause: 'the Layer-2 invocation id is sha256(run:node:attempt:providerKey)',
    source: 'replay §C',
  }),
  must('recovery.layer-two-lookup', {
    clause:
      "after a crash behind the model's answer the record is used; before it, the provider is asked once more at most",
    source: 'replay §C, 0041 §A.5',
  }),
]);
