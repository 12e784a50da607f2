import type { StandsOn } from '../src/runner/scenario.ts';
import { FOUNDATIONS, OF_A_REPLAY, PROJECTED_STATE, REPLAYED_OVERLAY, SOURCE_UNTOUCHED } from './shared/foundations.ts';

const { snapshots, silence } = FOUNDATIONS;

/** Of two calls in the place of one, nobody knows whose answer is recorded. */
export const ONE_CALL = 'once.single-owner';

/** What a handoff does, before what its payloads say. */
const HANDING_OFF = [
  'happy-path',
  'causation-chain',
  'harvest-exactly-when',
  'failed-child-skips-harvest',
  'dispatch-failure',
  'output-mapping',
  'loop',
  'child-is-a-run',
].map((row) => `handoff.${row}`);

/** The handoffs whose payloads are judged beside those of the one that goes well, and the rows that say what each of them does. */
const PAYLOADS = {
  'two-workers': ['causation-chain', 'happy-path', 'child-is-a-run'],
  nested: ['causation-chain', 'happy-path', 'output-mapping', 'child-is-a-run'],
  'sub-workflow': ['causation-chain', 'happy-path', 'output-mapping'],
  failed: ['causation-chain', 'failed-child-skips-harvest'],
  cancelled: ['causation-chain', 'failed-child-skips-harvest'],
  'dispatch-failed': ['causation-chain'],
  turns: ['causation-chain', 'happy-path', 'loop', 'child-is-a-run'],
};

/** The loops and handoffs beside the plain one: what is wrong there, too, is named there. */
const LOOPS = ['turns', 'clarify', 'escalate'];
const PATHS = ['two-workers', 'turns', 'nested', 'sub-workflow'];
const CHAINED = ['two-workers', 'failed', 'cancelled', 'turns'];

/** What is said of the windows of a death, of a tool that answers with something. */
const WINDOWS = [
  'before-execution',
  'executed-not-recorded',
  'effect-not-appended',
  'appended-not-committed',
  'committed',
].map((row) => `once.${row}.`);

/** What deaths do to a tool that answers, before what they do to one that fails. */
const CUT = [...WINDOWS, 'once.every-cut.', 'once.write-order.', 'once.single-owner.'];

/** What is said of the keys of a plain call. */
const KEYED = ['once.idempotency-key', 'once.idempotency-key.replay', 'once.idempotency-key.per-call'];

/** What a replay does that has noticed a change: whoever lets a divergence end it is named for that. */
const CONTINUED = ['replay.divergence-continues', ONE_CALL];
/** Rows about such replays. */
const GOING_ON = ['once.verification-human', 'once.verification-human.resume', 'once.verification-strict'];

/** What is said of logs and snapshots as such. */
const READ = ['run.', 'sequence.'];

/** Rules for both modes: who breaks them for replays, too, is named there. */
const BOTH_MODES = [
  'fork.rejects-bad-from-seq',
  'fork.rejects-absent-sequence',
  'fork.unknown-run',
  'fork.invisible-run',
  'fork.requires-credentials',
  'fork.requires-credentials.scope',
  'fork.idempotency-key',
];

/** What else is done to runs that are forked: whoever lets a plain fork change its source is named there. */
const UNTOUCHED = ['refused', 'duplicates', 'branch', 'overlay'];

/** What is compared behind a tool: whoever calls it again is named for the call. */
const CALLED = 'replay.no-second-external-call';

const BEHIND_A_TOOL = [
  `${CALLED}.replay-of-replay`,
  `${CALLED}.cached-response`,
  `${CALLED}.of-a-branch`,
  'sequence.nondeterministic-tool',
  'sequence.side-effects-cached',
  'sequence.content-addressed-tools',
  'sequence.parallel-branches',
];

/** What is said of forks of forks: whoever makes none, or others than it should, is named there. */
const AGAIN = ['fork.created.', 'fork.branch-applies-overlay.', 'sequence.replay-of-replay.', 'sequence.state-equal.'];

const OF_FORKS = [
  'fork.branch-is-independent.replayed',
  'fork.branch-is-independent.later-replay',
  'fork.branch-applies-overlay.of-a-replay',
  'fork.branch-applies-overlay.replayed',
];

/** What is said of the logs that a sweep reads, too: whoever breaks it in others is named there. */
const EVERY_LOG = ['sequence.monotonic', 'sequence.single-terminal-event'];

/** What else there is of a run: whoever shows another tenant the run itself is named there. */
const OF_AN_INVISIBLE_RUN = [
  ...['events', 'events.resumed', 'poll', 'poll.resumed', 'diff', 'annotate', 'annotations', 'cancel', 'answer'].map(
    (row) => `fork.invisible-run.${row}`,
  ),
  ...['', '.branch', '.replay-of-replay'].map((how) => `privacy.same-access-checks${how}`),
];

/** The rows that say of one workflow or another what replays of it show: the one about replays of all of them rests there. */
const OF_REPLAYS = [
  'prefix-equal',
  'state-equal',
  'nondeterministic-tool',
  'side-effects-cached',
  'parallel-branches',
  'not-a-copy',
  'monotonic',
  'single-terminal-event',
  'content-addressed-tools',
].map((row) => `sequence.${row}.`);

/** The rows that look at replays of replays themselves, or at all replays. */
const OF_GENERATIONS = [
  'handoff.replays.',
  'sequence.replay-of-replay.',
  'sequence.prefix-equal.',
  'sequence.state-equal',
  'sequence.state-equal.concurrent',
  'sequence.not-a-copy',
  'sequence.monotonic.',
  'sequence.single-terminal-event.',
  'replay.no-second-child',
  'replay.no-second-external-call.',
  'replay.recorded-facts-verbatim.',
  'refusal.',
  'fork.created.',
  'run.',
  'cache-key.every-llm-node',
];

/** Rows that send many requests to the seam for cache keys: whoever gives some of them another's key is named once. */
const KEYS = [
  'reproducible-offline.golden',
  'reproducible-offline.generated',
  'excludes-non-recipe-fields',
  'includes-recipe-fields',
  'omits-absent',
  'sorts-tools',
  'canonical-tool-schema',
  'preserves-message-order',
  'preserves-content-shape',
  'model-verbatim',
  'jcs-numbers',
  'jcs-strings',
  'jcs-key-order',
].map((row) => `cache-key.${row}`);

/** Requests that differ in everything get different keys. */
const ALIKE = 'cache-key.reproducible-offline.alike';
const RECOMPUTED = ['golden', 'generated'].map((vectors) => `cache-key.reproducible-offline.${vectors}`);

/** Rows whose requests hold everything that a request may, or many of it: whoever leaves something out is named for that. */
const WHOLE = ['jcs-numbers', 'jcs-strings', 'jcs-key-order', 'sorts-tools', 'preserves-message-order'].map(
  (row) => `cache-key.${row}`,
);

/** What is looked up under keys: whoever gives the same request another one each time is named there. */
const UNSTABLE = ['cache-key.deterministic'];

const OF_BOTH_KINDS = ['refusal', 'refusal.no-silent-substitution', 'refusal.distinct-event'].flatMap((row) =>
  ['valid-to-refusal', 'refusal-to-valid'].map((direction) => `${row}.${direction}`),
);

/** What refusals of one call say: a longer graph is one more fixture whose replays differ. */
const OF_ONE_CALL = [
  ...OF_BOTH_KINDS,
  ...[
    'valid-to-refusal',
    'refusal-to-valid',
    'payload',
    'locates-the-call',
    'precedes-failure',
    'reason-redacted',
    'source-untouched',
    'cached-response-wins',
    'cached-refusal',
    'no-false-alarm',
  ].map((row) => `refusal.${row}.`),
];

const LOOKED_UP = [
  'cache-key.every-llm-node',
  'replay.no-second-external-call.model',
  'refusal.cached-response-wins',
  'refusal.cached-refusal',
  ...OF_BOTH_KINDS,
];

/** What is said of what forks show: whoever shows something else everywhere is named there. */
const SHOWN_OF_FORKS = [REPLAYED_OVERLAY, 'sequence.state-equal.concurrent', OF_A_REPLAY];

const KEPT_OTHERWISE = [
  snapshots,
  'replay.divergence-is-reported.every-fixture',
  'sequence.prefix-equal',
  'schema.run-event.',
];

/** What replays of a run that fails come to: whoever lets them complete is named there. */
const FAILING = 'replay.same-failure';

/** What is said of forks, as far as replays of any run show it. */
const FORKING = [
  'created',
  'replay-defaults-to-zero',
  'replay-refuses-overlay',
  'source-untouched',
  'branch-inherits-prefix',
  'from-seq-anew',
].map((row) => `fork.${row}.`);

/** Ends of children that are reported as those of the plain handoff are. */
const UNHARVESTED = ['failed', 'cancelled'].map((end) => `handoff.failed-child-skips-harvest.${end}`);

/**
 * Checks that look at everything: they fail where no check of these fails, and rest on the first that does. A name with a dot at its
 * end is that of a row with all of its checks, or of a group of rows; any other one is a check's alone.
 */
export const REMAINDERS: StandsOn = {
  ...Object.fromEntries(KEYS.map((row) => [row, [ALIKE]])),
  // A credential alone that changes keys is the second tenant's.
  'cache-key.excludes-transport': ['cache-key.not-a-security-boundary.same-key'],
  // What the first host alone hashes otherwise is named there.
  'cache-key.cross-host-parity': KEYS,
  ...Object.fromEntries(WHOLE.map((row) => [row, [ALIKE, 'cache-key.includes-recipe-fields']])),
  // Keys that change can be recomputed by nobody.
  ...Object.fromEntries(RECOMPUTED.map((row) => [row, [ALIKE, ...UNSTABLE]])),
  ...Object.fromEntries(LOOKED_UP.map((row) => [row, UNSTABLE])),
  'fork.idempotency-key.other-body': ['fork.replay-defaults-to-zero'],
  'run.stream-modes': ['fork.source-untouched'],
  'sequence.transports-agree': ['sequence.monotonic', 'run.cursor', 'replay.divergence-in-debug-stream'],
  'refusal.mid-graph': [silence, 'sequence.state-equal.every-fixture', 'refusal.valid-to-refusal'],
  ...Object.fromEntries(
    ['valid-to-refusal', 'refusal-to-valid'].map((row) => [`refusal.${row}.kinds`, ['cache-key.nodes-use-it']]),
  ),
  'refusal.payload.mid-graph': ['refusal.valid-to-refusal'],
  // A refusal that nobody recorded is asked for again.
  'refusal.refusal-to-valid': ['refusal.cached-refusal'],
  'refusal.no-silent-substitution.refusal-to-valid': [...UNSTABLE, 'refusal.refusal-to-valid'],
  'refusal.mid-graph.other-calls': ['refusal.', 'sequence.replay-of-replay.', REPLAYED_OVERLAY],
  'refusal.cached-response-wins': [...UNSTABLE, 'refusal.no-false-alarm.valid-to-valid'],
  // Of recorded answers that are asked for again, the row about recorded answers tells.
  'refusal.cached-refusal': [...UNSTABLE, 'refusal.cached-response-wins', FAILING],
  'replay.divergence-is-reported.added-node': ['replay.divergence-is-reported.'],
  'replay.divergence-is-reported.dropped-node': ['replay.divergence-is-reported.'],
  'sequence.state-equal.every-fixture': [
    ...OF_REPLAYS,
    'replay.',
    ...OF_ONE_CALL,
    'handoff.',
    ...FORKING,
    'run.',
    'cache-key.every-llm-node',
  ],
  // Events that write other values leave another state.
  'sequence.state-equal.concurrent': ['sequence.state-equal'],
  // Records of the source's source are looked for in one way.
  'sequence.replay-of-replay': [`${CALLED}.of-a-branch`],
  'sequence.replay-of-replay.every-fixture': OF_GENERATIONS,
  'replay.no-second-external-call.model': [
    ...UNSTABLE,
    'refusal.cached-response-wins',
    ...SHOWN_OF_FORKS,
    'fork.branch-is-independent.replayed',
  ],
  'refusal.payload.refusal-to-valid': [...UNSTABLE, 'refusal.cached-response-wins', 'refusal.cached-refusal'],
  'refusal.locates-the-call.refusal-to-valid': ['refusal.cached-refusal'],
  [FAILING]: ['sequence.prefix-equal'],
  'replay.divergence-is-reported.every-fixture': [
    'replay.',
    'sequence.',
    'refusal.',
    'cache-key.every-llm-node',
    'handoff.replays.',
  ],
  'cache-key.nodes-use-it': ['cache-key.reproducible-offline.', 'cache-key.lowercase-hex'],
  ...Object.fromEntries(EVERY_LOG.map((row) => [`${row}.every-log`, [row]])),
  'fork.created.every-sequence': ['fork.replay-defaults-to-zero'],
  'fork.created.branch': ['sequence.single-terminal-event'],
  'fork.source-untouched': ['sequence.monotonic.'],
  'fork.branch-inherits-prefix': ['fork.branch-is-independent', 'sequence.replay-of-replay'],
  'fork.created.of-a-fork': ['fork.created.'],
  'fork.created.of-a-fork.branch': ['fork.created.'],
  ...Object.fromEntries(BOTH_MODES.map((row) => [`${row}.branch`, [row]])),
  'fork.invisible-run.branch': ['fork.invisible-run', 'fork.created.branch'],
  ...Object.fromEntries(UNTOUCHED.map((name) => [`${SOURCE_UNTOUCHED}.${name}`, [`${SOURCE_UNTOUCHED}.`]])),
  ...Object.fromEntries(
    ['of-a-fork', 'of-a-fork.branch'].map((name) => [
      `${SOURCE_UNTOUCHED}.${name}`,
      [`${SOURCE_UNTOUCHED}.`, 'fork.created.'],
    ]),
  ),
  ...Object.fromEntries(OF_FORKS.map((row) => [row, AGAIN])),
  // A branch of the branch that answers a question is one, too.
  'fork.branch-acts.approval': ['fork.created.of-a-fork.branch'],
  // A branch that executes nothing takes no inputs either, and one that begins with another state shows others.
  'fork.branch-applies-overlay.inputs': ['fork.branch-acts.', PROJECTED_STATE],
  'fork.branch-is-independent': ['fork.created.own-id', 'fork.branch-acts.'],
  'fork.branch-is-independent.cancelled': ['sequence.not-a-copy', SOURCE_UNTOUCHED],
  // An overlay that is passed over is no record that is lost; a call of what a branch has of its source is counted.
  'fork.branch-is-independent.replayed': [
    `${CALLED}.of-a-branch`,
    ...AGAIN.filter((row) => !row.startsWith('fork.branch-applies-overlay')),
    'fork.branch-inherits-prefix.',
    'replay.interrupt-short-circuits.',
  ],
  ...Object.fromEntries(BEHIND_A_TOOL.map((row) => [row, [`${CALLED}.`]])),
  // State that snapshots of all runs lose, facts that are drawn anew, and models that are asked again are named there.
  'sequence.state-equal': [`${CALLED}.`, snapshots, 'replay.recorded-facts-verbatim.', 'cache-key.every-llm-node'],
  [`${CALLED}.cached-response`]: [CALLED, `${CALLED}.replay-of-replay`],
  [`${CALLED}.of-a-branch`]: [`${CALLED}.`, 'once.verification-human.', ...SHOWN_OF_FORKS],
  // The branches call a tool each: whoever shows one call otherwise is named there.
  'sequence.parallel-branches': [`${CALLED}.`, 'sequence.side-effects-cached'],
  'sequence.prefix-equal.changed-code': [FOUNDATIONS.histories],
  'fork.invisible-run.child': ['fork.invisible-run'],
  ...Object.fromEntries(OF_AN_INVISIBLE_RUN.map((row) => [row, ['fork.invisible-run.run']])),
  'privacy.same-access-checks.indistinguishable': ['privacy.same-access-checks.', 'fork.created.of-a-fork.'],
  'privacy.deleted-data.re-exposed': ['privacy.deleted-data'],
  'replay.interrupt-short-circuits.recorded-value': ['replay.interrupt-short-circuits'],
  'replay.interrupt-short-circuits.own-keys': [silence, 'sequence.prefix-equal.', 'sequence.state-equal.'],
  'replay.no-false-divergence.every-fixture': ['replay.no-false-divergence.'],
  ...Object.fromEntries(CHAINED.map((name) => [`handoff.causation-chain.${name}`, ['handoff.causation-chain.']])),
  // Its chain is that of a child, which nobody followed as a run.
  'handoff.causation-chain.nested': ['handoff.causation-chain.', 'sequence.monotonic'],
  'handoff.causation-chain.clarify': ['handoff.causation-chain.', 'handoff.loop.'],
  'handoff.causation-chain.escalate': ['handoff.causation-chain.', 'handoff.loop.'],
  // A worker that is another turn's is given nothing.
  'handoff.output-mapping.relay': ['handoff.child-is-a-run.turns'],
  'handoff.payloads': HANDING_OFF,
  ...Object.fromEntries(
    Object.entries(PAYLOADS).map(([name, rows]) => [
      `handoff.payloads.${name}`,
      ['handoff.payloads.', ...HANDING_OFF, ...rows.map((row) => `handoff.${row}.${name}`)],
    ]),
  ),
  ...Object.fromEntries([...LOOPS, 'nested'].map((name) => [`handoff.loop.${name}`, ['handoff.loop.']])),
  ...Object.fromEntries(PATHS.map((name) => [`handoff.happy-path.${name}`, ['handoff.happy-path.']])),
  'handoff.happy-path.branch': [
    ...HANDING_OFF.map((row) => `${row}.`),
    'handoff.payloads.',
    'handoff.replays',
    ...READ,
    'fork.',
  ],
  'handoff.replays': ['sequence.state-equal.concurrent', OF_A_REPLAY],
  'handoff.replays.failed': [FAILING],
  ...Object.fromEntries(UNHARVESTED.map((row) => [row, ['handoff.happy-path.']])),
  'once.idempotency-key.per-call': ['sequence.monotonic.', 'once.idempotency-key.retry'],
  'once.idempotency-key.retry': ['once.idempotency-key.every-run'],
  ...Object.fromEntries(
    ['write-order', 'idempotency-key'].map((row) => [
      `once.${row}.every-run`,
      [...CUT, ...KEYED, 'once.failed-call.', 'replay.', ...READ],
    ]),
  ),
  'once.single-owner': ['once.committed.empty-result', 'once.idempotency-key.', 'once.write-order'],
  'once.committed.empty-result': [...WINDOWS, 'once.write-order'],
  'once.executed-not-recorded.second-tool': ['once.external-key.reclaim', ...CUT],
  'once.failed-call': ['once.write-order.'],
  'once.failed-call.replay': ['once.idempotency-key.', 'replay.', 'sequence.'],
  'once.failed-call.crash': CUT,
  // Worlds that are taken for right, whatever the mode.
  'once.verification-warn': ['once.verification-strict'],
  'once.verified-recovery.strict': ['once.verification-strict', ...CUT],
  'once.verified-recovery.unnamed-mode': ['once.verification-strict', 'once.idempotency-key.', 'replay.', 'sequence.'],
  'once.verified-recovery.warn': ['once.verification-warn', ...CUT],
  'once.verified-recovery.human': ['once.verification-human.', ...CUT],
  ...Object.fromEntries(
    ['reason-redacted', 'precedes-failure', 'source-untouched'].map((row) => [
      `refusal.${row}.refusal-to-valid`,
      [`refusal.${row}.valid-to-refusal`],
    ]),
  ),
  ...Object.fromEntries(
    ['valid-to-refusal', 'refusal-to-valid'].map((direction) => [
      `refusal.distinct-event.${direction}`,
      [...UNSTABLE, `refusal.no-silent-substitution.${direction}`, 'replay.no-false-divergence.'],
    ]),
  ),
  'annotation.not-an-event.log': ['annotation.not-an-event.fork'],
  'annotation.not-inherited.branch': ['annotation.not-inherited.replay'],
  'annotation.not-inherited.separate': ['annotation.not-inherited.replay', 'annotation.not-inherited.branch'],
  'retention.expired-range.default': ['retention.expired-range'],
  'retention.expired-range.branch': [
    'retention.expired-range',
    'retention.expired-range.envelope',
    'fork.created.branch',
    'fork.branch-inherits-prefix.',
  ],
  'retention.expired-range.state': ['fork.branch-inherits-prefix.'],
  'retention.expired-range.details': ['fork.created.every-sequence', 'retention.expired-range.envelope'],
  'telemetry.replay-span.from-seq': [
    'fork.replay-defaults-to-zero',
    'fork.created.every-sequence',
    'fork.branch-inherits-prefix.',
  ],
  'telemetry.replay-span.mode': ['fork.created.', 'fork.branch-acts.'],
  ...Object.fromEntries(GOING_ON.map((row) => [row, CONTINUED])),
  'once.verification-human': [...CONTINUED, 'once.verification-strict'],
  'discovery.recipe-identifier': ['discovery.replay-determinism'],
  'discovery.version-four-complete': ['discovery.replay-determinism', 'discovery.recipe-identifier'],
  'schema.discovery': ['discovery.'],
  'schema.run-answer': ['fork.created', ...READ],
  'schema.run-snapshot': READ,
  'schema.run-snapshot.wire': [...READ, 'schema.run-snapshot'],
  'schema.run-event': READ,
  'schema.run-event.wire': [
    ...READ,
    'schema.run-event',
    'replay.',
    'refusal.',
    'handoff.',
    'fork.branch-is-independent',
  ],
  'schema.fork-answer': ['fork.', ...READ],
  'schema.error-envelope': ['fork.', 'run.', 'retention.', 'privacy.'],
  'schema.interrupt': ['replay.interrupt-short-circuits.', 'handoff.loop.', 'schema.run-event.', ...READ],
  'schema.annotation': ['annotation.'],
  'schema.diff': ['diff.', 'run.'],
  // What a host keeps is what it compares: where its logs show something else, the rows about these tell.
  'diff.first-divergence': ['diff.shape', ...KEPT_OTHERWISE],
  'score.consistent.counts': ['score.consistent.exact-replay', 'score.consistent.diverging-replay', ...KEPT_OTHERWISE],
  'score.consistent.score': ['score.consistent.counts'],
  'score.consistent.first-divergence': ['score.consistent.counts', ...KEPT_OTHERWISE],
  'region.same-fork.log': ['run.snapshot-agrees', 'once.idempotency-key.', 'once.write-order.'],
};
