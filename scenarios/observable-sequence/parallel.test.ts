import { describe, expect, it } from 'vitest';
import type { Observation } from '../../src/evidence/types.ts';
import type { Recorded } from '../../src/runner/scenario.ts';
import {
  judgementIn,
  witnessed,
  refusedReplay,
  replayOf,
  runAs,
  say,
  unfinishedRun,
  type Said,
} from '../../test/recorded-runs.ts';
import type { Recordings } from '../shared/of-type.ts';
import { parallelBranches } from './parallel.ts';

const judgeParallel = (seen: Recordings) => judgementIn(parallelBranches, 'sequence.parallel-branches', seen);

function logged(...order: readonly string[]): readonly Said[] {
  const ends = order.map((name) => say('node.completed', { nodeId: `branch-${name}` }, `branch-${name}`));
  return [say('run.started'), ...ends, say('run.completed')];
}

function calls(count: number): Recorded<Observation> {
  const answered = Array.from({ length: count }, () => witnessed());
  return { id: 'calls', type: 'calls', after: 'source', url: 'http://w', calls: answered, exchanges: [] } as never;
}

const source = runAs('source', logged('c', 'a', 'b'));
const replay = (...order: readonly string[]) => runAs('replay 1', logged(...order), replayOf(source, 0));

describe('concurrent branches', () => {
  it('pass where they replay as recorded', () => {
    expect(judgeParallel([source, calls(3), replay('c', 'a', 'b')])).toMatchObject({
      verdict: 'pass',
      reason: '1 replays in the recorded order branch-c, branch-a, branch-b',
    });
  });

  it('fail where they replay in another order, and say both', () => {
    const judgement = judgeParallel([source, calls(3), replay('a', 'b', 'c')]);
    expect(judgement).toMatchObject({ verdict: 'fail', evidence: ['source', 'replay 1'] });
    expect(judgement.reason).toContain(
      'recorded order branch-c, branch-a, branch-b; replayed order branch-a, branch-b, branch-c',
    );
  });

  it('fail where the order is the recorded one and something else is not, and say no word of orders', () => {
    const other = runAs('replay 1', [...logged('c', 'a', 'b').slice(0, -1), say('run.cancelled')], replayOf(source, 0));
    const judgement = judgeParallel([source, calls(3), other]);
    expect(judgement).toMatchObject({ verdict: 'fail', actual: expect.stringContaining('run.cancelled') as string });
    expect(judgement.reason).toBeUndefined();
  });

  it('rest on the row about what replays show where an event stands there more, and the order is the recorded one', () => {
    const restsOn = 'sequence.state-equal.concurrent';
    const mixed = judgeParallel([source, calls(3), replay('c', 'c', 'a', 'b')]);
    expect(mixed).toMatchObject({ verdict: 'fail', diagnosis: { code: 'extra' }, restsOn });
    expect(judgeParallel([source, calls(3), replay('c', 'b', 'a', 'b')])).not.toHaveProperty('restsOn');
  });

  it('fail where the fork is refused', () => {
    expect(judgeParallel([source, calls(3), refusedReplay('replay 1', source)]).verdict).toBe('fail');
  });

  it.each([
    ['nobody called the witness', [source, calls(0), replay('c', 'a', 'b')]],
    ['a branch is missing', [runAs('source', logged('a', 'b')), calls(3), replay('a', 'b')]],
    [
      'a replay was not seen',
      [source, calls(3), unfinishedRun('replay 1', 'the run has not ended', replayOf(source, 0))],
    ],
    ['there was no replay', [source, calls(3)]],
    ['nothing was driven', []],
  ])('are undecided where %s', (_, observations) => {
    expect(judgeParallel(observations).verdict).toBe('inconclusive');
  });
});

const judgeOnce = (seen: Recordings) => judgementIn(parallelBranches, 'replay.no-second-external-call.parallel', seen);
const later = (count: number) => ({ ...calls(count), id: 'later', after: 'replays' }) as Recorded<Observation>;

describe('tools of concurrent branches', () => {
  it('are called by the source alone', () => {
    expect(judgeOnce([source, calls(3), replay('c', 'a', 'b'), later(3)]).verdict).toBe('pass');
    expect(judgeOnce([source, calls(3), replay('c', 'a', 'b'), later(4)])).toMatchObject({
      verdict: 'fail',
      diagnosis: { code: 'second-call' },
      restsOn: 'replay.no-second-external-call',
    });
  });

  it('decide nothing where they were not called, were not counted, or the source or a replay did not complete', () => {
    const failed = runAs('source', [...logged('a').slice(0, -1), say('run.failed')]);
    expect(judgeOnce([failed, calls(3), replay('a'), later(4)]).verdict).toBe('inconclusive');
    expect(judgeOnce([source, calls(0), replay('c', 'a', 'b'), later(0)]).verdict).toBe('inconclusive');
    expect(judgeOnce([source, calls(3), replay('c', 'a', 'b')]).verdict).toBe('inconclusive');
    const cut = runAs('replay 1', [say('run.started'), say('run.failed')], replayOf(source, 0));
    expect(judgeOnce([source, calls(3), cut, later(3)]).verdict).toBe('inconclusive');
  });
});
