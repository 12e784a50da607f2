import { describe, expect, it } from 'vitest';
import type { Observation } from '../../src/evidence/types.ts';
import { fork, judged, recorded, refusedFork, run, short } from '../../test/fork-observations.ts';
import { judgeWaiting } from './waiting-branch.ts';

function answer(role: string, answered: number | null): Observation {
  return { type: 'answer', role, mark: role, answered, exchanges: [] } as Observation;
}

const branch = fork('branch', 'run_b', { mode: 'branch', fromSeq: 1 });

function judge(...observations: readonly Observation[]) {
  return judged(judgeWaiting(recorded(run('source'), ...observations)));
}

describe('a branch of a run that waits', () => {
  it('passes where its source takes an answer of its own afterwards', () => {
    expect(judge(branch, answer('branch', 200), answer('source', 200))).toMatchObject({
      verdict: 'pass',
      evidence: ['o4', 'o2', 'o1', 'o3'],
    });
  });

  it.each([404, 409, 410, 422])('fails where the question of its source is closed by then (%i)', (status) => {
    const judgement = judge(branch, answer('branch', 200), answer('source', status));
    expect(short(judgement)).toBe('fail');
    expect(judgement.actual).toContain(`was answered with ${status}`);
  });

  it('does not apply where no such branch is made, as it may', () => {
    expect(short(judge(refusedFork('branch', 409, 'branch'), answer('source', 200)))).toBe('not-applicable');
  });

  it.each([
    ['the branch does not wait', [branch, answer('source', 200)]],
    ['the branch takes no answer', [branch, answer('branch', 403), answer('source', 200)]],
    ['the source takes none for another reason', [branch, answer('branch', 200), answer('source', 503)]],
    ['the source gives no answer', [branch, answer('branch', 200), answer('source', null)]],
    ['the source did not wait', []],
  ])('is undecided where %s', (_, observations) => {
    expect(short(judge(...observations))).toBe('inconclusive');
  });
});
