import type { Requirement } from '../requirement.ts';
import { must, rowsOf, should } from './row.ts';

/** The rows of the register's group `observable-sequence`, in its order. */
export const observableSequence: readonly Requirement[] = rowsOf('observable-sequence', [
  must('sequence.prefix-equal', {
    clause:
      "for every fromSeq in the log, the fork's history below it equals the source's after the declared normalisation",
    source: '0041 §C.1',
  }),
  must('sequence.state-equal', {
    clause: 'variables, channels and status agree at every index',
    source: '0041 §C.2',
  }),
  must('sequence.nondeterministic-tool', {
    clause: 'a tool that answers differently each time leaves the same observable result on replay',
    source: '0041 §C.3',
  }),
  must('sequence.side-effects-cached', {
    clause: "state changes and events made inside the tool's node are reproduced, not only its return value",
    source: '0041 §C, replay Phase 4 §C',
  }),
  must('sequence.parallel-branches', {
    clause: 'concurrent branches replay in the recorded order',
    source: '0041 §C',
  }),
  must('sequence.replay-of-replay', {
    clause: 'replaying a replay gives the same sequence again',
    source: '0041 §C',
  }),
  must('sequence.not-a-copy', {
    clause: 'changed code makes the replay diverge visibly: a host that copies the log does not pass',
    source: 'replay Two modes',
  }),
  must('sequence.monotonic', {
    clause:
      'sequence numbers are unique and strictly increasing in every reading of the log (gaps are reported, not failed)',
    source: 'replay Why',
  }),
  must('sequence.single-terminal-event', {
    clause: 'exactly one terminal event, and it is last',
    source: 'wire',
  }),
  should('sequence.transports-agree', {
    clause: 'SSE, JSON and poll, read from the start or resumed, show the same log',
    source: 'replay Why',
  }),
  must('sequence.content-addressed-tools', {
    clause: "a tool's cache key does not depend on counters or clocks of the host",
    source: 'replay Phase 4 §C',
  }),
]);
