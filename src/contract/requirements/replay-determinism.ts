import type { Requirement } from '../requirement.ts';
import { must, rowsOf, should } from './row.ts';

/** The rows of the register's group `replay-determinism`, in its order. */
export const replayDeterminism: readonly Requirement[] = rowsOf('replay-determinism', [
  must('replay.no-second-external-call', {
    clause: "a side-effecting node's external system is not called again on replay",
    source: 'replay Determinism 1',
  }),
  must('replay.interrupt-short-circuits', {
    clause: 'an interrupt resolved in the source is not asked again',
    source: 'replay Determinism 2',
  }),
  must('replay.version-pins-kept', {
    clause: 'a version pinned in the source is the version the replay takes',
    source: 'replay Determinism 3',
  }),
  must('replay.logical-clock', {
    clause: "time read through the engine's clock replays as recorded",
    source: 'replay Determinism 4',
  }),
  must('replay.recorded-facts-verbatim', {
    clause: 'recorded-fact events keep their identifiers and timestamps',
    source: 'replay Determinism 5',
  }),
  must('replay.divergence-is-reported', {
    clause: 'a replay that produces a different event emits replay.diverged naming both sides',
    source: 'replay Failure surfaces',
  }),
  must('replay.divergence-continues', {
    clause: 'replay.diverged is informational: the run goes on to an end',
    source: 'replay Failure surfaces',
  }),
  should('replay.further-divergence', {
    clause: 'what differs behind a divergence is reported as well',
    source: 'replay Failure surfaces',
  }),
  must('replay.divergence-in-debug-stream', {
    clause: 'the event is visible in the debug stream mode',
    source: 'replay Failure surfaces',
  }),
  must('replay.divergence-span', {
    clause: "the run's span carries openwop.replay.diverged: true",
    source: 'replay Failure surfaces',
  }),
  must('replay.no-false-divergence', {
    clause: 'a replay that matches emits no divergence event',
    source: 'replay Failure surfaces',
  }),
  must('replay.same-failure', {
    clause: 'a failing run fails again with the same error',
    source: 'replay Use cases 1',
  }),
]);
