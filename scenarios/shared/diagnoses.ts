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
export const { diagnoses: sharedDiagnoses, wrong: sharedCause } = causes([
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
      'once.idempotency-key',
      'once.failed-call',
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
    [...REFUSALS, 'run.create-idempotency', 'run.error-envelope', 'diff.shape'],
  ],
  ['second-run', 'a duplicate request was carried out again', ['run.create-idempotency', 'fork.idempotency-key']],
  ['existence-revealed', 'the answer tells that the run exists', ['fork.invisible-run', 'privacy.same-access-checks']],
  [
    'tenants-mixed',
    'a run of another tenant was forked or served',
    ['fork.invisible-run', 'privacy.same-access-checks', 'run.create-idempotency'],
  ],
  ...CLASSES,
]);
