import { causes } from '../shared/causes.ts';

const OVERLAY = ['fork.branch-applies-overlay'];

/** The causes that the judges of this suite alone name. */
export const { diagnoses, wrong } = causes(
  [
    ['shared-run-id', "two runs have one id, or a fork has its source's", ['fork.created']],
    [
      'events-of-the-source',
      "a fork's eventsUrl leads to the log of its source: clients follow the wrong run",
      ['fork.created'],
    ],
    [
      'events-of-another-run',
      "a fork's eventsUrl leads to the log of a run that is neither the fork nor its source",
      ['fork.created'],
    ],
    [
      'names-no-run',
      'the runId in the answer to a fork is that of no run: clients that follow it have lost the fork',
      ['fork.created'],
    ],
    [
      'fork-snapshot-refused',
      'the snapshot of a fork is refused, and that of its source is not: clients that poll never learn how it ended',
      ['fork.created'],
    ],
    ['fork-log-empty', 'the log of a fork has no event, though its snapshot says that it has ended', ['fork.created']],
    ['default-not-zero', 'a replay without fromSeq does not start at the beginning', ['fork.replay-defaults-to-zero']],
    ['default-refused', 'a replay without fromSeq is refused, and works from 0', ['fork.replay-defaults-to-zero']],
    ['key-across-runs', "another run's fork has the events of the first run's", ['fork.idempotency-key']],
    [
      'executed-again',
      'a duplicate executes the fork once more, in the same run: what its nodes do outside is done twice',
      ['fork.idempotency-key'],
    ],
    ['overlay-ignored', "a branch, or a replay of one, runs with the run options of the branch's source", OVERLAY],
    ['overlay-changed', 'the branch runs with other values than its overlay holds', OVERLAY],
    ['overlay-reached-back', 'the overlay changed what had happened before the fork point', OVERLAY],
    ['state-not-projected', "the branch does not start from the source's state at its fork point", OVERLAY],
    [
      'branch-inert',
      'a branch takes from its source what lies behind its fork point, as a replay does: it has to act itself',
      ['fork.branch-acts'],
    ],
    [
      'inherits-from-seq',
      'a replay takes the event at fromSeq over from its source: what stands below fromSeq is history, and nothing else',
      ['fork.from-seq-anew'],
    ],
    [
      'diff-of-itself',
      'a run is said to differ from itself: what compares cannot be right about other runs',
      ['diff.shape'],
    ],
    [
      'diff-contradicts-itself',
      'one answer of :diff says two things: whoever reads a part of it cannot know which holds',
      ['diff.first-divergence'],
    ],
    ['state-diff-blind', 'the states of two runs differ, and :diff says that they do not', ['diff.first-divergence']],
    ['diff-blind', 'two logs part, and :diff says that they do not', ['diff.first-divergence']],
    [
      'diff-elsewhere',
      'the :diff endpoint names a place where the logs do not part first: ids and clocks are no difference, everything else is',
      ['diff.first-divergence'],
    ],
  ],
  [
    [
      'other-fork-answer',
      'the answer to a fork is not 201 with its six members, as requested, and a URL that shows its events',
      ['fork.created'],
    ],
    [
      'answer-of-another',
      'a run goes on with the answer that another run was given: look up what waits by its run, not by its node',
      ['fork.branch-acts'],
    ],
    [
      'branch-unanswerable',
      'a branch waits, and cannot be answered or cancelled as its source can: it is a run like any other',
      ['fork.branch-acts', 'fork.branch-is-independent'],
    ],
    [
      'not-independent',
      'what was done to a branch, or to its source, shows at the other one: keep what each waits for by its own id',
      ['fork.branch-is-independent'],
    ],
    ['child-of-source', "the child of a branch is its source's", ['fork.branch-is-independent']],
    ['event-of-another-run', 'an event that a branch wrote itself names another run', ['fork.branch-is-independent']],
    [
      'history-executed',
      'a branch executes what stands below its fork point: that is history',
      ['fork.branch-inherits-prefix'],
    ],
    [
      'other-diff',
      'the answer of :diff is no difference of the two runs that the request names',
      ['diff.shape', 'diff.first-divergence'],
    ],
    [
      'key-of-another-body',
      'a request was answered with the fork of another body under its Idempotency-Key: answer it with 409',
      ['fork.idempotency-key'],
    ],
    [
      'repeated-otherwise',
      'the answer to a duplicate is not the first one: store answers by their Idempotency-Key',
      ['fork.idempotency-key'],
    ],
    ['overlay-of-a-branch', 'a replay runs with the overlay of a branch of its source', OVERLAY],
    [
      'empty-overlay-refused',
      'a replay with an empty overlay is refused: it is as good as none',
      ['fork.replay-refuses-overlay'],
    ],
  ],
);
