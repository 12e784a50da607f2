import { describe, expect, it } from 'vitest';
import { REQUIREMENTS, findRequirement } from './index.ts';

/** The register's ids by suite, in order; an id that ends in `?` is a SHOULD, all others are MUSTs. */
const EXPECTED: readonly (readonly [suite: string, ids: string])[] = [
  [
    'discovery',
    `
    discovery.reachable discovery.shape discovery.execution-model discovery.replay-determinism
    discovery.recipe-identifier discovery.version-four-complete discovery.vendor-recipe-documented schema.discovery?`,
  ],
  [
    'run-lifecycle',
    `
    run.created run.snapshot-agrees run.create-idempotency? run.error-envelope? run.stream-modes? run.cursor? run.cancel?
    schema.run-answer? schema.run-snapshot schema.run-snapshot.wire? schema.run-event schema.run-event.wire?
    schema.fork-answer schema.error-envelope? schema.interrupt? schema.annotation? schema.diff?`,
  ],
  [
    'cache-key-portable',
    `
    cache-key.reproducible-offline cache-key.lowercase-hex cache-key.deterministic cache-key.excludes-non-recipe-fields
    cache-key.excludes-transport cache-key.includes-recipe-fields cache-key.omits-absent cache-key.sorts-tools
    cache-key.canonical-tool-schema cache-key.preserves-message-order cache-key.preserves-content-shape cache-key.model-verbatim
    cache-key.jcs-numbers cache-key.jcs-strings cache-key.jcs-key-order cache-key.rejects-non-json-values
    cache-key.rejects-malformed cache-key.cross-host-parity cache-key.not-a-security-boundary cache-key.every-llm-node
    cache-key.nodes-use-it`,
  ],
  [
    'fork-contract',
    `
    fork.created fork.replay-defaults-to-zero fork.branch-needs-from-seq fork.replay-refuses-overlay
    fork.rejects-bad-mode fork.rejects-bad-from-seq fork.rejects-malformed-body fork.rejects-absent-sequence
    fork.unknown-run fork.invisible-run fork.requires-credentials fork.idempotency-key fork.idempotency-key.other-body?
    fork.source-untouched fork.error-envelope fork.branch-applies-overlay fork.branch-inherits-prefix
    fork.branch-is-independent fork.unadvertised-mode? fork.branch-acts fork.from-seq-anew?
    diff.shape? diff.first-divergence?`,
  ],
  [
    'replay-determinism',
    `
    replay.no-second-external-call replay.interrupt-short-circuits replay.version-pins-kept replay.logical-clock
    replay.recorded-facts-verbatim replay.divergence-is-reported replay.divergence-continues replay.further-divergence?
    replay.divergence-in-debug-stream
    replay.divergence-span replay.no-false-divergence replay.same-failure`,
  ],
  [
    'refusal-divergence',
    `
    refusal.valid-to-refusal refusal.refusal-to-valid refusal.cached-response-wins refusal.no-silent-substitution
    refusal.payload refusal.locates-the-call refusal.distinct-event refusal.precedes-failure
    refusal.no-false-alarm refusal.mid-graph refusal.not-below-version-four refusal.reason-redacted
    refusal.source-untouched refusal.cached-refusal`,
  ],
  [
    'observable-sequence',
    `
    sequence.prefix-equal sequence.state-equal sequence.nondeterministic-tool sequence.side-effects-cached
    sequence.parallel-branches sequence.replay-of-replay sequence.not-a-copy sequence.monotonic
    sequence.single-terminal-event sequence.transports-agree? sequence.content-addressed-tools`,
  ],
  [
    'handoff-state-machine',
    `
    handoff.happy-path handoff.causation-chain handoff.harvest-exactly-when handoff.failed-child-skips-harvest
    handoff.dispatch-failure handoff.output-mapping handoff.loop handoff.child-is-a-run
    handoff.not-unless-supported handoff.replays replay.no-second-child handoff.payloads`,
  ],
  [
    'at-most-once',
    `
    once.before-execution once.executed-not-recorded once.effect-not-appended once.appended-not-committed
    once.committed once.every-cut once.write-order once.stream-is-authority once.stream-wins once.catch-up-complete once.doubt-in-forks
    once.single-owner once.idempotency-key once.external-key once.verification-strict
    once.verification-warn once.verification-human once.failed-call once.verified-recovery`,
  ],
  [
    'replay-governance',
    `
    retention.documented retention.documented.kinds? retention.expired-range retention.expired-range.details? privacy.same-redaction privacy.debug-bundles
    privacy.deleted-data
    privacy.deletion-documented?
    privacy.same-access-checks privacy.audit? score.consistent? region.same-fork telemetry.replay-span?
    annotation.not-inherited annotation.not-an-event annotation.live? timeline.deep-links recovery.layer-two-id recovery.layer-two-lookup`,
  ],
];

const rows = EXPECTED.flatMap(([suite, ids]) =>
  ids
    .trim()
    .split(/\s+/u)
    .map((id) => ({ id: id.replace('?', ''), suite, level: id.endsWith('?') ? 'SHOULD' : 'MUST' })),
);

describe('the requirement register', () => {
  it('has every row of every group, in order, with its level', () => {
    expect(REQUIREMENTS.map(({ id, suite, level }) => ({ id, suite, level }))).toEqual(rows);
  });

  it('has no id twice', () => {
    expect(new Set(REQUIREMENTS.map(({ id }) => id)).size).toBe(REQUIREMENTS.length);
  });

  it.each(REQUIREMENTS)('says of $id what it demands, where that stands and when it applies', (row) => {
    expect(row.clause.length).toBeGreaterThan(10);
    expect(row.source).toMatch(/^(?:0041|0037|replay|sem|wire)\b/u);
    expect(row.gate).not.toBe('');
  });

  it.each([
    ['discovery.execution-model', '0037 §C', '-'],
    ['discovery.vendor-recipe-documented', '0041 §D', 'vendor recipe'],
    ['cache-key.reproducible-offline', 'replay §B, 0041 §E', 'p4'],
    ['cache-key.cross-host-parity', 'replay §D', 'p4, two'],
    ['fork.invisible-run', 'replay Endpoint, Privacy', 'fork, two'],
    ['replay.divergence-span', 'replay Failure surfaces', 'fork, OTel given'],
    ['refusal.not-below-version-four', '0041 Compatibility', 'version < 4'],
    ['sequence.single-terminal-event', 'wire', '-'],
    ['handoff.not-unless-supported', '0037 Compatibility', 'not em'],
    ['once.write-order', 'sem §3', 'prov'],
    ['recovery.layer-two-id', 'replay §C', 'seam'],
  ])('%s is from %s and applies for %s', (id, source, gate) => {
    expect(findRequirement(id)).toMatchObject({ id, source, gate });
  });
});

describe('findRequirement', () => {
  it.each(['', 'discovery', 'discovery.nothing', 'constructor', '__proto__'])('knows no row %j', (id) => {
    expect(findRequirement(id)).toBeUndefined();
  });
});
