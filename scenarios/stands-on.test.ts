import { describe, expect, it } from 'vitest';
import type { CheckReport } from '../src/contract/report.ts';
import { afterOthers, settleCauses } from '../src/runner/causes.ts';
import { SUITES } from './index.ts';
import { REMAINDERS } from './remainders.ts';
import { COUNTED } from './shared/witnessed-run.ts';
import { STANDS_ON } from './stands-on.ts';

const CHECKS = SUITES.flatMap(({ scenarios }) => scenarios).flatMap(({ checks }) => checks.map(({ id }) => id));

/** Whether a check has this name, or stands below it. */
function isOfSome(name: string): boolean {
  const start = name.endsWith('.') ? name : `${name}.`;
  return CHECKS.some((id) => `${id}.`.startsWith(start));
}

function failed(id: string): CheckReport {
  const where = { suite: 'u', scenario: 's', requirement: id, level: 'MUST', title: id } as const;
  return { id, ...where, verdict: 'fail', evidence: [], durationMs: 1 };
}

describe('what rows rest on', () => {
  it('is said of checks that there are, by names that there are', () => {
    expect(Object.keys(REMAINDERS).filter((id) => !CHECKS.includes(id))).toEqual([]);
    expect(Object.keys(STANDS_ON).filter((name) => !isOfSome(name))).toEqual([]);
    const names = [...new Set([...Object.values(REMAINDERS), ...Object.values(STANDS_ON)].flat())];
    expect(names.filter((name) => !isOfSome(name))).toEqual([]);
  });

  it.each([
    ['fork.requires-credentials', 'fork.invisible-run'],
    ['fork.requires-credentials.scope', 'fork.requires-credentials.branch'],
    ['fork.invisible-run.key', 'fork.invisible-run.branch'],
    ['privacy.deleted-data.canonical-error', 'privacy.deleted-data.re-exposed'],
    ['retention.expired-range.envelope', 'retention.expired-range.default'],
    ['fork.rejects-bad-mode', 'fork.rejects-malformed-body'],
    ['fork.source-untouched', 'fork.rejects-absent-sequence'],
    ['sequence.prefix-equal', 'score.consistent.score'],
    ['handoff.causation-chain.cancelled', 'handoff.payloads'],
    ['fork.branch-applies-overlay.inputs', 'fork.branch-is-independent.replayed'],
  ])('is no defect of a neighbour: where %s is red, %s is red as well', (one, other) => {
    const red = afterOthers([failed(one), failed(other)], REMAINDERS).filter(({ restsOn }) => restsOn === undefined);
    expect(red.map(({ id }) => id)).toEqual([one, other]);
  });

  it.each([
    ['cache-key.deterministic', 'cache-key.reproducible-offline.golden'],
    ['cache-key.includes-recipe-fields', 'cache-key.jcs-strings'],
    ['handoff.causation-chain.cancelled', 'handoff.payloads.cancelled'],
    ['replay.no-false-divergence.clock', 'refusal.distinct-event.valid-to-refusal'],
    ['refusal.valid-to-refusal', 'refusal.mid-graph'],
    ['sequence.state-equal', 'sequence.state-equal.concurrent'],
    ['fork.branch-applies-overlay.replayed', 'refusal.mid-graph.other-calls'],
    ['handoff.replays', 'handoff.happy-path.branch'],
    ['cache-key.nodes-use-it', 'refusal.refusal-to-valid.kinds'],
    ['fork.branch-applies-overlay.projected-state', 'fork.branch-applies-overlay.inputs'],
    ['refusal.valid-to-refusal', 'refusal.payload.mid-graph'],
    ['refusal.refusal-to-valid', 'refusal.no-silent-substitution.refusal-to-valid'],
    ['replay.no-second-external-call.of-a-branch', 'sequence.replay-of-replay'],
    ['sequence.state-equal', 'sequence.replay-of-replay.every-fixture'],
    ['refusal.cached-refusal', 'refusal.refusal-to-valid'],
    ['replay.same-failure', 'refusal.cached-refusal'],
    ['replay.same-failure', 'handoff.replays.failed'],
    ['handoff.child-is-a-run.turns', 'handoff.output-mapping.relay'],
    ['run.snapshot-agrees', 'sequence.state-equal'],
    ['replay.recorded-facts-verbatim', 'sequence.state-equal'],
    ['cache-key.every-llm-node', 'sequence.state-equal'],
  ])('is told once: where %s is red, %s rests on it', (one, other) => {
    const [, resting] = afterOthers([failed(one), failed(other)], REMAINDERS);
    expect(resting?.restsOn).toBe(one);
  });

  it.each([
    'fork.source-untouched.of-a-fork',
    'fork.source-untouched.of-a-fork.branch',
    'fork.source-untouched.overlay',
    'fork.invisible-run.run',
    'sequence.state-equal.concurrent',
  ])('is what forks do to their source: where that cannot be read any more, %s is open for that', (id) => {
    const open = { ...failed(id), verdict: 'inconclusive' } as const;
    const [, resting] = settleCauses([failed('fork.source-untouched'), open], (check) => STANDS_ON[check.id] ?? []);
    expect(resting?.restsOn).toBe('fork.source-untouched');
  });

  it.each([
    ['fork.created', 'fork.branch-applies-overlay.of-a-replay'],
    ['handoff.child-is-a-run', 'handoff.output-mapping.nested'],
    ['sequence.state-equal.every-fixture', 'sequence.replay-of-replay.every-fixture'],
  ])('is what rows take for granted: where %s is red, %s is open for that', (one, id) => {
    const open = { ...failed(id), verdict: 'inconclusive' } as const;
    const [, resting] = settleCauses([failed(one), open], (check) => STANDS_ON[check.id] ?? []);
    expect(resting?.restsOn).toBe(one);
  });

  it.each([
    'handoff.replays',
    'once.failed-call.replay',
    ...['', '.replay-of-replay', '.of-a-branch', '.model'].map((which) => `replay.no-second-external-call${which}`),
  ])('never hides a call that was counted: whatever logs of forks show, %s is red', (id) => {
    const others = CHECKS.filter((each) => each.startsWith('sequence.') || each.startsWith('fork.')).map(failed);
    const counted = afterOthers([...others, { ...failed(id), ...COUNTED }], REMAINDERS).at(-1);
    expect(counted).not.toHaveProperty('restsOn');
  });

  it('hides behind a counted call what else replays of branches lack', () => {
    const call = { ...failed('replay.no-second-external-call.of-a-branch'), ...COUNTED };
    const replayed = 'fork.branch-is-independent.replayed';
    const [resting, other] = afterOthers([failed(replayed), call], REMAINDERS);
    expect([resting?.restsOn, other?.restsOn]).toEqual([call.id, undefined]);
  });

  it('is not told once where a known rule explains what is wrong besides', () => {
    const explained = { ...failed('cache-key.jcs-strings'), apart: ['cache-key.includes-recipe-fields'] };
    const [, other] = afterOthers([failed('cache-key.includes-recipe-fields'), explained], REMAINDERS);
    expect(other?.restsOn).toBeUndefined();
  });
});
