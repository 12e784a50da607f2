import { describe, expect, it } from 'vitest';
import type { Observation } from '../../src/evidence/types.ts';
import { fork, recorded, refusedFork, run, short } from '../../test/fork-observations.ts';
import { judgeAccess } from './judge-access.ts';

function pair(name: string, source: number | null, of: number | null): readonly Observation[] {
  const common = { type: 'access', name, exchanges: ['x1'] };
  return [
    { ...common, of: 'source', status: source } as Observation,
    { ...common, of: 'fork', status: of } as Observation,
  ];
}

const RUNS = [run('source'), fork('fork', 'run_b')];
const KEPT = pair('the snapshot', 404, 404);

function judge(...observations: readonly Observation[]) {
  return judgeAccess('c', recorded(...observations));
}

describe('judgeAccess', () => {
  it.each<[string, readonly Observation[]]>([
    ['pass', KEPT],
    ['pass', [...KEPT, ...pair('the log', 403, 404)]],
    ['pass', [...KEPT, ...pair('the log', 200, 200)]],
    ['pass', [...KEPT, ...pair('the log', 500, 200)]],
    ['fail checks-bypassed', [...KEPT, ...pair('the log', 404, 200)]],
    ['fail checks-bypassed', pair('the snapshot', 403, 200)],
    ['inconclusive', pair('the snapshot', 200, 200)],
    ['inconclusive', pair('the snapshot', null, 404)],
    ['inconclusive', pair('the snapshot', 429, 404)],
    ['inconclusive', [...KEPT, ...pair('the log', 404, 500)]],
    ['inconclusive', [...KEPT, ...pair('the log', 404, null)]],
    ['inconclusive', pair('the log', 404, 404)],
    ['inconclusive', KEPT.slice(0, 1)],
    ['inconclusive', []],
  ])('%s', (expected, observations) => expect(short(judge(...RUNS, ...observations))).toBe(expected));

  it('names what is open, and notes other refusals', () => {
    expect(judge(...RUNS, ...KEPT, ...pair('the log', 404, 200)).actual).toBe('the log: 200');
    expect(judge(...RUNS, ...KEPT, ...pair('the log', 403, 404)).reason).toContain('the log: 404, of the source 403');
  });

  it('needs a fork that its owner sees', () => {
    expect(judge(run('source'), refusedFork('fork', 501), ...KEPT).verdict).toBe('fail');
    expect(judge(run('source'), refusedFork('fork', 429), ...KEPT).verdict).toBe('inconclusive');
    expect(judge(...KEPT).verdict).toBe('inconclusive');
  });
});
