import { describe, expect, it } from 'vitest';
import type { Observation } from '../../src/evidence/types.ts';
import type { RunIdAgain } from '../../src/host/run-ids.ts';
import { requested, recorded, run, short } from '../../test/fork-observations.ts';
import { OPTIONS } from '../../test/recorded-runs.ts';
import { ownIds } from './own-ids.ts';

const again: RunIdAgain = { type: 'run-id-again', runId: 'run_a', scenarios: ['a', 'b'], exchanges: ['x1', 'x9'] };
const sources = [run('source'), run('other source', { runId: 'run_b' })];
const forks = [
  requested('fork', 'a replay', 201, { runId: 'run_c' }),
  requested('fork', 'a branch', 201, { runId: 'run_d' }),
];

function judged(...observations: readonly Observation[]) {
  const everything = recorded(...observations).map((each) => ({ ...each, scenario: 'plan' }));
  const own = recorded(...observations).filter(({ type }) => type !== 'run-id-again');
  const [judgement] = ownIds.judge(own, OPTIONS, everything);
  if (judgement === undefined) throw new TypeError('the row is judged');
  return judgement;
}

describe('ids of runs and forks', () => {
  it('pass where none came again', () => {
    expect(judged(...sources, ...forks)).toMatchObject({ verdict: 'pass', evidence: ['o1', 'o2', 'o3', 'o4'] });
  });

  it('fail where one came again, in whatever scenario', () => {
    const judgement = judged(again, { ...again, exchanges: ['x1', 'x12'] }, ...sources, ...forks);
    expect(short(judgement)).toBe('fail shared-run-id');
    expect(judgement).toMatchObject({ evidence: ['o1', 'o2'] });
    expect(judgement.actual).toBe('two answers name one run, run_a, and 1 more');
    expect(judged({ ...again, exchanges: ['x9'] }).actual).toBe(
      'an answer names the run that was forked, run_a, as its fork',
    );
  });

  it('are undecided where a source was not seen, or a fork not made', () => {
    expect(short(judged())).toBe('inconclusive');
    expect(short(judged(...sources))).toBe('inconclusive');
    expect(short(judged(run('source', { runId: null, problem: 'no' }), ...forks))).toBe('inconclusive');
    const refused = judged(...sources, ...forks, requested('fork', 'a replay', 501));
    expect(refused).toMatchObject({ verdict: 'inconclusive', restsOn: 'fork.created' });
    expect(refused.reason).toContain('"a replay" made no run: 501');
  });
});
