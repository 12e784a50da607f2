import { GIVING, WRITING } from './fork-contract/branch-drive.ts';
import { TWO_CHILDREN } from './fork-contract/invisible-child.ts';
import { RECORDING } from './fork-contract/of-a-fork.ts';
import { GIVEN as GIVEN_CHILDREN, GIVEN_BY_ANOTHER, MISSING, NESTED } from './handoff-state-machine/fixtures.ts';
import { BY_CLOCK } from './run-lifecycle/waiting.ts';
import { FAILING_FIXTURES, PUBLIC_FIXTURES } from './shared/first-run.ts';
import { ASKING } from './shared/past-question.ts';
import { SWEPT } from './shared/swept-fixtures.ts';

const OWN = 'conformance-determinism-';
const [CONSTANT, RANDOM, WALL_CLOCK] = [`${OWN}constant`, `${OWN}random`, `${OWN}wall-clock`];
const MODEL = 'conformance-phase4-replay-divergence';
const HANDOFF = 'conformance-multi-agent-handoff';
const ASKING_IDS = ASKING.map(({ workflowId }) => workflowId);
const SWEPT_IDS = SWEPT.map(({ workflowId }) => workflowId);

/** Scenarios, and the workflows that these run where the host has them, beside those that they need. */
const TABLE: readonly (readonly [scenarios: readonly string[], workflows: readonly string[]])[] = [
  [
    [
      'run.created',
      'fork.every-sequence',
      'fork.own-ids',
      'fork.refusals',
      'fork.idempotency',
      'fork.invisible-run',
      'fork.invisible-run.branch',
      'fork.invisible-run.readings',
      'fork.invisible-run.answer',
      'fork.missing-scope',
      'fork.missing-scope.branch',
      'fork.unadvertised-mode',
      'retention.expired-range',
      'retention.expired-range.branch',
      'privacy.same-redaction',
      'privacy.same-redaction.branch',
      'privacy.same-redaction.errors',
      'privacy.same-access-checks',
      'privacy.same-access-checks.branch',
      'privacy.audit',
      'privacy.audit.branch',
      'annotation.forks',
      'timeline.deep-links',
      'telemetry.replay-span',
    ],
    PUBLIC_FIXTURES,
  ],
  [
    ['run.snapshot'],
    [
      ...PUBLIC_FIXTURES,
      ...FAILING_FIXTURES,
      HANDOFF,
      `${HANDOFF}-child`,
      'conformance-conversation-replay',
      BY_CLOCK,
      `${OWN}variable-write`,
      `${OWN}channel-write`,
    ],
  ],
  [['fork.invisible-run.child'], [...PUBLIC_FIXTURES, TWO_CHILDREN]],
  [
    ['privacy.same-access-checks.scope', 'privacy.same-access-checks.nobody'],
    [...PUBLIC_FIXTURES, HANDOFF],
  ],
  [['run.creating'], [...PUBLIC_FIXTURES, ...ASKING_IDS]],
  [['run.resuming'], [...PUBLIC_FIXTURES, ...FAILING_FIXTURES, HANDOFF, `${OWN}variable-write`]],
  [['cache-key.not-a-security-boundary'], [MODEL]],
  [
    ['cache-key.every-llm-node', 'recovery.layer-two-id'],
    [MODEL, `${OWN}llm-nodes`],
  ],
  [['fork.full-replay'], [...PUBLIC_FIXTURES, WALL_CLOCK]],
  [['diff.shape'], [...PUBLIC_FIXTURES, WALL_CLOCK, 'conformance-identity']],
  [
    ['fork.branch'],
    [
      ...PUBLIC_FIXTURES,
      `${OWN}identity`,
      `${OWN}variable-write`,
      RANDOM,
      ...[GIVING, ...WRITING].map(({ workflowId }) => workflowId),
    ],
  ],
  [['fork.of-a-branch'], [...PUBLIC_FIXTURES, ...RECORDING, ...ASKING_IDS]],
  [['replay.same-failure'], [...FAILING_FIXTURES, 'conformance-cap-breach', `${OWN}llm-retry`]],
  [['replay.clock'], [WALL_CLOCK, 'conformance-delay']],
  [['replay.facts'], [`${OWN}memory-write`]],
  [['replay.interrupt-short-circuits'], ASKING_IDS],
  [['replay.divergence'], [...SWEPT_IDS, WALL_CLOCK]],
  [['replay.divergence-span'], [...PUBLIC_FIXTURES, CONSTANT, WALL_CLOCK, MODEL]],
  [
    ['refusal.valid-to-refusal', 'refusal.refusal-to-valid', 'refusal.not-below-version-four'],
    [MODEL, `${OWN}llm-gate`, `${OWN}llm-provider`],
  ],
  [['sequence.sweep', 'region.same-fork'], SWEPT_IDS],
  [['sequence.generations'], [...PUBLIC_FIXTURES, RANDOM, `${OWN}memory-write`, `${OWN}clock`]],
  [['sequence.not-a-copy'], [CONSTANT, WALL_CLOCK]],
  [['sequence.readings'], [...PUBLIC_FIXTURES, ...FAILING_FIXTURES, ...ASKING_IDS]],
  [['handoff.given-inputs'], [...GIVEN_CHILDREN, GIVEN_BY_ANOTHER].map(({ workflowId }) => workflowId)],
  [['replay.no-second-child'], [...GIVEN_CHILDREN.map(({ workflowId }) => workflowId), HANDOFF]],
  [['handoff.unsupported'], [...PUBLIC_FIXTURES, HANDOFF, NESTED, MISSING]],
  [['score.consistent'], [...PUBLIC_FIXTURES, CONSTANT]],
  [['annotation.live'], ASKING_IDS],
  [['annotation.log'], [...PUBLIC_FIXTURES, ...ASKING_IDS]],
];

/** By scenario, the workflows that it runs where the host has them, beside those that it needs. */
export const MAY_RUN: ReadonlyMap<string, readonly string[]> = new Map(
  TABLE.flatMap(([scenarios, workflows]) => scenarios.map((id) => [id, workflows] as const)),
);
