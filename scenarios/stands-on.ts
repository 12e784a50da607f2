import type { StandsOn } from '../src/runner/scenario.ts';
import { ONE_CALL } from './remainders.ts';
import { FOUNDATIONS, SOURCE_UNTOUCHED } from './shared/foundations.ts';

const { discovery, runs, snapshots, replays, laterReplays, branches, execution, silence } = FOUNDATIONS;
const DIVERGES = ['replay.divergence-is-reported', execution];
const QUIET = [...DIVERGES, 'sequence.prefix-equal', 'sequence.state-equal.concurrent'];

/** The rows that say whether answers to questions are taken. */
const ANSWERS = ['replay.interrupt-short-circuits', 'schema.interrupt'];
const ANSWERED = [...ANSWERS, 'fork.branch-inherits-prefix'];
const CANCELLED = ['run.cancel'];
const HANDED_OFF = ['handoff.happy-path', 'handoff.child-is-a-run', snapshots];
const SERVED = ['region.same-fork.served', replays, laterReplays, branches];
const RECORDED = [snapshots, 'replay.divergence-continues', 'replay.no-second-external-call.cached-response', ONE_CALL];

/** What is looked for in what replays show of their nodes. */
const SHOWN_IN_REPLAYS = [
  'fork.branch-applies-overlay.replayed',
  'fork.branch-is-independent.later-replay',
  'replay.no-second-external-call.of-a-branch',
  'replay.interrupt-short-circuits.recorded-value',
];

/** What the rows of a direction of 0041 §B look at: the event, and the replay that fails with it. */
function refusalRows(direction: string, quiet: string): StandsOn {
  const rows = ['no-silent-substitution', 'payload', 'locates-the-call', 'distinct-event', 'precedes-failure'];
  const standing = [...rows, 'reason-redacted', 'source-untouched'].map((row) => `refusal.${row}.${direction}`);
  const raised = [`refusal.${direction}`];
  return Object.fromEntries([...standing, `refusal.no-false-alarm.${quiet}`].map((row) => [row, raised]));
}

/** What is open where the snapshots of forks, or of what was forked, cannot be read. */
const WITHOUT_SNAPSHOTS = [
  snapshots,
  'fork.source-untouched.of-a-fork',
  'fork.source-untouched.of-a-fork.branch',
  'fork.branch-applies-overlay.tags',
  'fork.branch-applies-overlay.metadata',
  'sequence.nondeterministic-tool',
  'sequence.side-effects-cached',
  'sequence.replay-of-replay',
  'sequence.state-equal.concurrent',
  'retention.expired-range.state',
];

/** The row that says whether annotations are taken and listed, and those that look at what is. */
const ANNOTATIONS = 'schema.annotation';
const ANNOTATED = ['annotation.not-inherited', 'annotation.not-an-event', 'annotation.live'];

/** What rows take for granted beside the runs that they read, and which check says so. */
export const STANDS_ON: StandsOn = {
  'cache-key.every-llm-node': [runs, replays],
  'cache-key.cross-host-parity': ['cache-key.deterministic', 'cache-key.includes-recipe-fields'],
  'cache-key.not-a-security-boundary.no-shared-response': [runs],
  'cache-key.not-a-security-boundary.counted-at-witness': [
    'cache-key.deterministic',
    'replay.no-second-external-call.model',
  ],
  'fork.created.own-id': [replays, discovery],
  'fork.idempotency-key': ['fork.replay-defaults-to-zero'],
  ...Object.fromEntries(SHOWN_IN_REPLAYS.map((row) => [row, [silence]])),
  'replay.interrupt-short-circuits.recorded-value': [...ANSWERS, silence],
  'fork.error-envelope.branch': ['fork.branch-needs-from-seq'],
  'fork.error-envelope.scope': ['fork.requires-credentials.scope'],
  'fork.branch-applies-overlay.of-a-replay': [replays, branches],
  'fork.source-untouched.overlay': [snapshots, SOURCE_UNTOUCHED],
  'fork.invisible-run': ['fork.unknown-run'],
  'fork.invisible-run.run': ['fork.unknown-run', SOURCE_UNTOUCHED],
  'replay.no-second-external-call.cached-response': [ONE_CALL],
  'replay.no-second-external-call.replay-of-replay': [replays],
  'replay.no-second-external-call.model': ['cache-key.not-a-security-boundary.counted-at-witness'],
  'replay.interrupt-short-circuits': ANSWERS,
  'fork.branch-acts.approval': ANSWERS,
  'run.error-envelope.no-credential': [...CANCELLED, 'schema.interrupt', ANNOTATIONS],
  'fork.invisible-run.answer': ANSWERS,
  'fork.invisible-run.cancel': CANCELLED,
  'fork.invisible-run.annotate': [ANNOTATIONS],
  'fork.invisible-run.annotations': [ANNOTATIONS],
  'fork.invisible-run.diff': ['diff.shape'],
  'replay.divergence-is-reported': [execution],
  'replay.divergence-continues': DIVERGES,
  'replay.further-divergence': DIVERGES,
  'replay.divergence-in-debug-stream': DIVERGES,
  'replay.divergence-span': DIVERGES,
  'replay.no-false-divergence': QUIET,
  'replay.no-false-divergence.every-fixture': QUIET,
  'replay.no-false-divergence.clock': [...QUIET, 'replay.logical-clock'],
  'replay.no-false-divergence.span': ['replay.divergence-span', ...QUIET],
  ...refusalRows('valid-to-refusal', 'valid-to-valid'),
  ...refusalRows('refusal-to-valid', 'refusal-to-refusal'),
  'refusal.valid-to-refusal.kinds': ['refusal.valid-to-refusal'],
  'refusal.refusal-to-valid.kinds': ['refusal.refusal-to-valid'],
  'refusal.mid-graph': ['refusal.valid-to-refusal'],
  'refusal.mid-graph.other-calls': ['refusal.valid-to-refusal'],
  'refusal.payload.mid-graph': ['refusal.valid-to-refusal'],
  'sequence.replay-of-replay.every-fixture': [replays, 'sequence.state-equal.every-fixture'],
  'sequence.prefix-equal': ANSWERED,
  'sequence.state-equal': [...ANSWERED, snapshots, replays],
  ...Object.fromEntries(WITHOUT_SNAPSHOTS.map((row) => [row, [snapshots, replays, SOURCE_UNTOUCHED]])),
  'handoff.happy-path': HANDED_OFF,
  'handoff.causation-chain': HANDED_OFF,
  'handoff.causation-chain.failed': ['handoff.failed-child-skips-harvest.failed', ...HANDED_OFF],
  'handoff.causation-chain.cancelled': ['handoff.failed-child-skips-harvest.cancelled', ...CANCELLED, ...HANDED_OFF],
  'handoff.causation-chain.dispatch-failed': ['handoff.dispatch-failure', ...HANDED_OFF],
  'handoff.causation-chain.sub-workflow': ['handoff.happy-path.sub-workflow', ...HANDED_OFF],
  'handoff.causation-chain.turns': ['handoff.happy-path.turns', ...HANDED_OFF, 'handoff.loop'],
  'handoff.causation-chain.two-workers': ['handoff.happy-path.two-workers', ...HANDED_OFF],
  'handoff.causation-chain.clarify': [...HANDED_OFF, 'handoff.loop.clarify', ...ANSWERS],
  'handoff.causation-chain.escalate': [...HANDED_OFF, 'handoff.loop.escalate', ...ANSWERS],
  'handoff.child-is-a-run': HANDED_OFF,
  'handoff.dispatch-failure': ['handoff.harvest-exactly-when', ...HANDED_OFF],
  'handoff.failed-child-skips-harvest': ['handoff.harvest-exactly-when', ...HANDED_OFF],
  'handoff.failed-child-skips-harvest.cancelled': ['handoff.harvest-exactly-when', ...CANCELLED, ...HANDED_OFF],
  'handoff.harvest-exactly-when': ['handoff.harvest-exactly-when', ...HANDED_OFF],
  'handoff.loop': HANDED_OFF,
  'handoff.loop.clarify': [...HANDED_OFF, ...ANSWERS],
  'handoff.loop.escalate': [...HANDED_OFF, ...ANSWERS],
  'handoff.loop.nested': ['handoff.happy-path.nested', ...HANDED_OFF],
  'handoff.output-mapping.nested': ['handoff.loop.nested', ...HANDED_OFF],
  'handoff.output-mapping': ['handoff.loop', ...HANDED_OFF],
  'handoff.output-mapping.sub-workflow': ['handoff.happy-path.sub-workflow', ...HANDED_OFF],
  'handoff.payloads': HANDED_OFF,
  'handoff.payloads.cancelled': [...CANCELLED, ...HANDED_OFF],
  'handoff.replays': HANDED_OFF,
  'handoff.replays.failed': ['handoff.failed-child-skips-harvest.failed', ...HANDED_OFF],
  'replay.interrupt-short-circuits.supervisor': ['handoff.loop.clarify', ...ANSWERS],
  'fork.branch-is-independent.waiting': [...ANSWERS, branches],
  'fork.branch-is-independent.cancelled': [...CANCELLED, ...ANSWERS, branches],
  'once.appended-not-committed': ['once.write-order.found'],
  'once.committed.empty-result': [runs],
  'once.failed-call': [runs, 'once.write-order'],
  'once.idempotency-key.replay': ['once.idempotency-key'],
  'once.idempotency-key.retry': [runs, 'once.idempotency-key'],
  'once.external-key.reclaim': [runs, 'once.external-key'],
  'once.single-owner.reclaim': ['once.external-key', 'once.external-key.reclaim', 'once.before-execution'],
  'once.verification-strict': RECORDED,
  'once.verification-warn': RECORDED,
  'once.verification-human': RECORDED,
  'once.verification-human.resume': ['once.verification-human', ...ANSWERS, ...RECORDED],
  'recovery.layer-two-id.retry': [runs, 'recovery.layer-two-id'],
  'retention.expired-range.default': [replays],
  'retention.expired-range.envelope': ['retention.expired-range', replays],
  'retention.expired-range.details': ['retention.expired-range', replays],
  'privacy.same-redaction': [...ANSWERED, replays],
  'privacy.deleted-data.canonical-error': ['privacy.deleted-data'],
  'privacy.deleted-data.re-exposed': ['privacy.deleted-data'],
  'privacy.same-access-checks': ['fork.invisible-run.run', FOUNDATIONS.snapshotShapes, snapshots, replays],
  // Another credential of the same tenant: what is open to another tenant says nothing of it.
  'privacy.same-access-checks.scope': [],
  'privacy.same-access-checks.nobody': [],
  'privacy.same-access-checks.indistinguishable': ['fork.unknown-run'],
  'privacy.audit.no-secret': ['privacy.audit'],
  ...Object.fromEntries(['runs', 'counts', 'score'].map((row) => [`score.consistent.${row}`, [replays]])),
  'score.consistent.exact-replay': ['replay.no-false-divergence'],
  'score.consistent.diverging-replay': [execution],
  'score.consistent.first-divergence': [execution],
  ...Object.fromEntries(ANNOTATED.map((row) => [row, [ANNOTATIONS]])),
  'annotation.not-an-event.log': [ANNOTATIONS, ...ANSWERS],
  'annotation.not-inherited.branch': [ANNOTATIONS, branches],
  'telemetry.replay-span': [replays, discovery],
  'region.same-fork.served': SERVED.slice(1),
  'region.same-fork.log': SERVED,
  'region.same-fork.state': [...SERVED, snapshots],
};
