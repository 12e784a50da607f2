import { DESCRIPTION, INSIDE, OPERATORS, PERMISSION, held, left } from './statement.ts';
import type { Document } from './statement.ts';

/** What the table of provable semantics demands. */
export const provableSemantics: Document = {
  name: 'sem',
  title: 'Provable semantics',
  sections: [
    {
      section: '1 Transactions and consistency',
      statements: [
        left('ledger and job store share no transaction', DESCRIPTION),
        held(
          'a tool that succeeds is written to the effect store, then to the stream, then to the ledger',
          'once.write-order',
        ),
        held('on replay the event stream has the last word', 'once.stream-is-authority', 'once.stream-wins'),
        held(
          'a step that only a store knows as done is caught up: events written, result injected, tool not run',
          'once.effect-not-appended',
          'once.catch-up-complete',
        ),
        held('a death between execution and append is covered by the effect store', 'once.effect-not-appended'),
        held('a death between append and commit is covered by the stream', 'once.appended-not-committed'),
        left('a stronger, single transaction would have to be thought over anew', DESCRIPTION),
      ],
    },
    {
      section: '2 Crash windows',
      statements: [
        held('window 1: a step that had not begun runs, and its events and commit follow', 'once.before-execution'),
        held('window 1: its effect happens once', 'once.before-execution'),
        held('window 2: a step that another worker holds is waited for', 'once.single-owner'),
        held('window 2: after a reclaim a pending step is not executed again', 'once.executed-not-recorded'),
        held('window 2: without a recorded effect there is no catch-up', 'once.executed-not-recorded'),
        held('window 2: the run may end failed, as in flight or lost', 'once.executed-not-recorded'),
        held('window 2: whatever replays or forks such a run calls nothing', 'once.doubt-in-forks'),
        held('window 3: the missing finished and committed events are written', 'once.catch-up-complete'),
        held('window 3: the stored result is injected', 'once.effect-not-appended'),
        held('window 3: the tool is not called', 'once.effect-not-appended'),
        held('window 4: the result in the stream is injected', 'once.appended-not-committed'),
        held('window 4: the tool is not called', 'once.appended-not-committed'),
        held('window 5: the result of the stream or of the ledger is injected', 'once.committed'),
        held('window 5: the tool is not called', 'once.committed'),
        held('no crash window leads to a second effect of one step', 'once.every-cut'),
        left('the lasting failure of window 2 needs a time-out or a person', OPERATORS),
      ],
    },
    {
      section: '3 Order of ledger and append',
      statements: [
        held('started is in the stream before the tool is executed', 'once.write-order'),
        held('the effect is stored after the execution', 'once.write-order'),
        held('finished follows the stored effect, and says success', 'once.write-order'),
        held('command_committed follows finished', 'once.write-order'),
        held('the ledger is committed after both', 'once.write-order'),
        held("the node's completion and checkpoint come after the commit", 'once.write-order'),
        held(
          'events are visible before the ledger says committed, or are caught up',
          'once.write-order',
          'once.every-cut',
        ),
        held('a call that fails leaves a recorded failure, and nothing in flight', 'once.failed-call'),
      ],
    },
    {
      section: '4.1 Internal key',
      statements: [
        held(
          'the key is the hash of job, node, tool and canonical arguments, each parted by a zero byte',
          'once.idempotency-key',
        ),
        held('ledger and store look for earlier calls by job and key', 'once.idempotency-key'),
        held('started carries the key', 'once.idempotency-key'),
        held('finished carries the key', 'once.idempotency-key'),
        held('on replay results are injected by key', 'once.idempotency-key'),
        held('one logical step has one key in every replay and retry', 'once.idempotency-key'),
        held('the name of the node is the same in every replay', 'once.idempotency-key'),
      ],
    },
    {
      section: '4.2 External key',
      statements: [
        held('the key for others is made of a fixed word, job, step and attempt', 'once.external-key'),
        left(
          'an unnamed attempt is 0',
          'whether a worker names its attempt cannot be seen from outside: any name passes',
        ),
        held('tools hand the key on to what they call', 'once.external-key'),
        left('what is called uses it to act at most once', 'speaks to what tools call, not to hosts'),
        held('within an attempt the key is unique', 'once.external-key'),
        held('a reclaim changes the attempt and so the key', 'once.external-key'),
      ],
    },
    {
      section: '5 Verification',
      statements: [
        held(
          'a failed verification is treated as the mode says',
          'once.verification-strict',
          'once.verification-warn',
          'once.verification-human',
        ),
        held('without a mode it is strict', 'once.verified-recovery'),
        held('verification runs wherever recorded results are confirmed, crashes included', 'once.verified-recovery'),
        held('strict: the run fails for good', 'once.verification-strict'),
        held('warn: the failure is counted', 'once.verification-warn'),
        held('warn: the result is injected and the run goes on', 'once.verification-warn'),
        held('human-in-loop: the run does not go on before a person confirmed', 'once.verification-human'),
        left('workers may integrate parking', PERMISSION),
        left('the error by which callers see that a person is needed', INSIDE),
        left('production replaces the placeholder verifier by a real one', OPERATORS),
      ],
    },
  ],
};
