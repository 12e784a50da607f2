import { DIVERGENCE_CLASSES, type DivergenceClass, meaningOf } from '../../src/event-log/index.ts';
import { causes, type Cause } from './causes.ts';

/** The requirements whose judges compare logs event by event and show the class of the first difference. */
const COMPARED = [
  'fork.replay-defaults-to-zero',
  'fork.branch-inherits-prefix',
  'refusal.mid-graph',
  'sequence.prefix-equal',
  'sequence.nondeterministic-tool',
  'sequence.side-effects-cached',
  'sequence.content-addressed-tools',
  'sequence.parallel-branches',
  'sequence.replay-of-replay',
];

/** The fork requests that must be refused. */
const REFUSALS = [
  'fork.branch-needs-from-seq',
  'fork.replay-refuses-overlay',
  'fork.rejects-bad-mode',
  'fork.rejects-bad-from-seq',
  'fork.rejects-malformed-body',
  'fork.rejects-absent-sequence',
  'fork.unknown-run',
  'fork.requires-credentials',
];

/** What a class breaks beside the comparisons: the judge of that rule names it too. */
const BESIDE: Readonly<Partial<Record<DivergenceClass, string>>> = {
  'clock-leak': 'replay.logical-clock',
  'regenerated-fact': 'replay.recorded-facts-verbatim',
};

const CLASSES = DIVERGENCE_CLASSES.map((name): Cause<DivergenceClass> => {
  const beside = BESIDE[name];
  return [name, meaningOf(name), beside === undefined ? COMPARED : [beside, ...COMPARED]];
});

/** Causes that judges of several suites name, in words of their own, and the classes of divergence between two logs. */
export const { diagnoses: sharedDiagnoses, wrong: sharedCause } = causes(
  [
    [
      'second-call',
      'a replay called the tool, the model or another external system again; it takes what is recorded, or nothing',
      [
        'replay.no-second-external-call',
        'refusal.cached-response-wins',
        'sequence.nondeterministic-tool',
        'sequence.side-effects-cached',
        'sequence.content-addressed-tools',
        'once.verification-strict',
        'once.verification-warn',
        'once.verification-human',
        'once.verified-recovery',
        'once.effect-not-appended',
        'once.appended-not-committed',
        'once.committed',
        'once.idempotency-key',
        'once.failed-call',
        'cache-key.every-llm-node',
      ],
    ],
    [
      'copied-log',
      "the source's log was copied: nothing was executed",
      ['fork.replay-defaults-to-zero', 'replay.divergence-is-reported', 'sequence.not-a-copy'],
    ],
    [
      'server-error',
      'the host stumbles (5xx) over a request that it has to refuse',
      [...REFUSALS, 'run.error-envelope', 'diff.shape', 'retention.expired-range', 'privacy.deleted-data'],
    ],
    [
      'carried-out',
      'a request that has to be refused was carried out',
      [...REFUSALS, 'fork.unadvertised-mode', 'run.create-idempotency', 'run.error-envelope', 'diff.shape'],
    ],
    [
      'asked-again',
      'a resolved interrupt waits for an answer again (replay.md, Determinism 2)',
      ['replay.interrupt-short-circuits', 'fork.created'],
    ],
    [
      'false-alarm',
      'a divergence is reported where the two runs are the same',
      ['replay.no-false-divergence', 'sequence.replay-of-replay'],
    ],
    ['second-run', 'a duplicate request was carried out again', ['run.create-idempotency', 'fork.idempotency-key']],
    [
      'existence-revealed',
      'the answer tells that the run exists',
      ['fork.invisible-run', 'privacy.same-access-checks'],
    ],
    [
      'tenants-mixed',
      'a run of another tenant was forked or served',
      ['fork.invisible-run', 'privacy.same-access-checks', 'run.create-idempotency'],
    ],
    ...CLASSES,
  ],
  [
    [
      'fork-refused',
      'a fork is refused whose mode the host offers: look at what its answer says, and whether other forks of the run work',
      [
        'fork.created',
        'fork.branch-inherits-prefix',
        'sequence.prefix-equal',
        'sequence.state-equal',
        'replay.version-pins-kept',
        'handoff.replays',
      ],
    ],
    [
      'other-refusal',
      'a request is refused otherwise than the documents say: clients go by the status',
      [...REFUSALS, 'run.create-idempotency', 'run.error-envelope', 'retention.expired-range'],
    ],
    [
      'not-in-envelope',
      'a refusal is not {error, message, details?}: clients that read it learn nothing',
      ['fork.error-envelope', 'run.error-envelope', 'retention.expired-range', 'privacy.deleted-data'],
    ],
    [
      'source-changed',
      'a run is not what it was before its forks: look at what these write into its log and its snapshot',
      ['fork.source-untouched', 'fork.branch-is-independent', 'refusal.source-untouched'],
    ],
    [
      'state-differs',
      'a fork shows another state than its source: look at the first value of which expected and actual differ',
      [
        'sequence.state-equal',
        'sequence.parallel-branches',
        'handoff.replays',
        'replay.logical-clock',
        'replay.version-pins-kept',
        'refusal.no-silent-substitution',
        'retention.expired-range',
        'region.same-fork',
      ],
    ],
    [
      'history-differs',
      'a fork does not begin with the history of its source: events are missing, stand there twice, or have other numbers',
      ['sequence.prefix-equal', 'fork.branch-inherits-prefix'],
    ],
    [
      'recorded-answer-lost',
      'a fork does not show what a call of its source had answered: look at how the record is found again',
      [
        'replay.no-second-external-call',
        'refusal.cached-response-wins',
        'refusal.cached-refusal',
        'sequence.content-addressed-tools',
        'sequence.nondeterministic-tool',
      ],
    ],
    [
      'numbers-not-increasing',
      'the sequence numbers of a log are not whole numbers, each above the one before',
      ['sequence.monotonic', 'run.cursor'],
    ],
    [
      'duplicate-refused',
      'a duplicate is answered neither with the run of the first answer nor with 409',
      ['run.create-idempotency', 'fork.idempotency-key'],
    ],
    [
      'child-lost',
      'a branch names a child that cannot be read',
      ['fork.branch-is-independent', 'handoff.child-is-a-run'],
    ],
  ],
);
