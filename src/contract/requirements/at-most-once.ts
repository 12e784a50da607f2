import type { Requirement } from '../requirement.ts';
import { must, rowsOf } from './row.ts';

/** The rows of the register's group `at-most-once`, in its order. */
export const atMostOnce: readonly Requirement[] = rowsOf('at-most-once', [
  must('once.before-execution', {
    clause: 'crash before the tool: it runs exactly once after recovery',
    source: 'sem §2 window 1',
  }),
  must('once.executed-not-recorded', {
    clause: 'crash between the tool and PutEffect: never run again; the run ends failed or parked in bounded time',
    source: 'sem §2 window 2',
  }),
  must('once.effect-not-appended', {
    clause: 'crash after PutEffect: catch-up writes the missing events once, injects the result, calls nobody',
    source: 'sem §2 window 3',
  }),
  must('once.appended-not-committed', {
    clause: "crash after the append: the event stream's result is injected",
    source: 'sem §2 window 4',
  }),
  must('once.committed', {
    clause: 'crash after the commit: the recorded result is injected',
    source: 'sem §2 window 5',
  }),
  must('once.every-cut', {
    clause: 'the same holds at every cut between two durable writes, and for a second crash during recovery',
    source: 'sem §2, §3',
  }),
  must('once.write-order', {
    clause: 'started, execution, effect, finished, command_committed, ledger commit, in this order',
    source: 'sem §3',
  }),
  must('once.stream-is-authority', {
    clause: 'where the stream and the stores disagree, the stream wins',
    source: 'sem §1',
  }),
  must('once.stream-wins', {
    clause: "where the stores hold another value than the stream, the stream's value stands",
    source: 'sem §1',
  }),
  must('once.catch-up-complete', {
    clause: 'after a crash in window 3 the stream gets each missing event once, before any later one',
    source: 'sem §1, §2',
  }),
  must('once.doubt-in-forks', {
    clause: 'a fork of a run whose call is in doubt does not make that call',
    source: 'sem §2',
  }),
  must('once.single-owner', {
    clause: 'of two workers on one step one executes and the other waits',
    source: 'sem §2',
  }),
  must('once.idempotency-key', {
    clause:
      'SHA256(job NUL node NUL tool NUL canonical args), the same under retry and replay, different for different args',
    source: 'sem §4.1',
  }),
  must('once.external-key', {
    clause: 'the downstream call carries aetheris:job:step:attempt; a reclaim changes the attempt',
    source: 'sem §4.2',
  }),
  must('once.verification-strict', {
    clause: 'verification fails: the run fails for good, nothing is injected',
    source: 'sem §5',
  }),
  must('once.verification-warn', {
    clause: 'verification fails: it is counted and the result is injected',
    source: 'sem §5',
  }),
  must('once.verification-human', {
    clause: 'verification fails: the run is parked until a person confirms',
    source: 'sem §5',
  }),
  must('once.failed-call', {
    clause: 'a call that failed or timed out is recorded as failed, and neither a crash nor a replay repeats it',
    source: 'sem §3',
  }),
  must('once.verified-recovery', {
    clause: 'what a recovery injects is verified as well, strictly where no mode is named',
    source: 'sem §5',
  }),
]);
