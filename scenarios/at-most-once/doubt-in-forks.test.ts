import { describe, expect, it } from 'vitest';
import { BEGUN, FULL } from '../../test/crash-cells.ts';
import { doubtRuns, type DoubtFacts } from '../../test/doubt-runs.ts';
import { OPTIONS, runCalled, say, verdictOf } from '../../test/recorded-runs.ts';
import { doubtfulPoint, doubtInForks } from './doubt-in-forks.ts';

const ROW = 'once.doubt-in-forks';

const verdict = (given: DoubtFacts): string => verdictOf(doubtInForks, ROW, doubtRuns(given));

describe('a replay of a run in doubt', () => {
  it('passes where it calls nothing, whatever becomes of it', () => {
    expect(verdict({})).toBe('pass');
    expect(verdict({ cell: { more: { stopped: 'parked', snapshot: { status: 'waiting-external' } } } })).toBe('pass');
  });

  it('may ask whether the world agrees', () => {
    expect(verdict({ asks: true })).toBe('pass');
  });

  it('fails where it makes the call, from either place', () => {
    expect(verdict({ after: [2, 2] })).toBe('fail doubt-called-by-fork');
    expect(verdict({ after: [1, 2] })).toBe('fail doubt-called-by-fork');
    const judgement = doubtInForks.judge(doubtRuns({ after: [1, 2] }), OPTIONS)[0];
    expect(judgement?.expected).toMatch(/behind the start of the call.*after a death at after-execute@1/u);
  });

  it('fails where it completes with what nobody answered', () => {
    const said = [say('run.started'), say('node.completed', { output: null }, 'charge'), say('run.completed')];
    const { events } = runCalled('fork', said);
    expect(verdict({ fork: { events } })).toBe('fail doubt-completed-by-fork');
    expect(verdict({ fork: { events: events.slice(0, 2), snapshot: { status: 'waiting-external' } } })).toBe('pass');
  });

  it('shows nothing where it was refused, or never came to the call', () => {
    expect(verdict({ fork: { runId: null, answered: 409, problem: 'refused', events: [] } })).toBe('inconclusive');
    expect(verdict({ fork: { problem: 'its status is running' } })).toBe('inconclusive');
    expect(verdict({ fork: { events: [] } })).toBe('inconclusive');
  });

  it('shows nothing of a run that is not in doubt', () => {
    expect(verdict({ cell: { log: FULL } })).toBe('inconclusive');
    expect(verdict({ cell: { calls: 2 } })).toBe('inconclusive');
    expect(verdict({ cell: { more: { deaths: [] } } })).toBe('inconclusive');
    expect(verdict({ cell: { log: `${BEGUN} run.failed` } })).toBe('inconclusive');
    expect(verdictOf(doubtInForks, ROW, [])).toBe('inconclusive');
  });
});

describe('the place of the death', () => {
  it.each([
    ['before-acquire after-append-started after-execute after-put-effect', 'after-execute'],
    ['after-append-started after-put-effect', 'after-append-started'],
    ['p1 p2 after-put-effect', undefined],
  ])('in %s is %s', (names, name) => {
    expect(doubtfulPoint(names.split(' '))).toBe(name);
  });
});
