import { describe, expect, it } from 'vitest';
import type { Observation } from '../../src/evidence/types.ts';
import type { Recorded } from '../../src/runner/scenario.ts';
import {
  judgementIn,
  refusedReplay,
  replayOf,
  runAs,
  say,
  unfinishedRun,
  type Said,
} from '../../test/recorded-runs.ts';
import type { Recordings } from '../shared/of-type.ts';
import { notACopy } from './not-a-copy.ts';

const judgeNotACopy = (seen: Recordings) => judgementIn(notACopy, 'sequence.not-a-copy', seen);
const judgeHistory = (seen: Recordings) => judgementIn(notACopy, 'sequence.prefix-equal.changed-code', seen);

function logged(value: string, more: readonly Said[] = []): readonly Said[] {
  return [
    say('run.started'),
    say('variable.changed', { name: 'constant', value }, 'constant'),
    ...more,
    say('node.started', {}, 'after'),
    say('run.completed'),
  ];
}

const source = runAs('source', logged('first'));
const fresh = runAs('fresh run', logged('second'));
const changed = { id: 'rev', type: 'revision', problem: null, exchanges: [] } as Recorded<Observation>;
const absent = { ...changed, problem: 'answered 404' };
const revised = (events: readonly Said[]) => runAs('revised replay', events, replayOf(source, 0));
const rest = (events: readonly Said[]) => runAs('revised replay of the rest', events, replayOf(source, 2));
const clock = runAs('wall-clock source', logged('10:00'));
const clockReplay = (events: readonly Said[]) => runAs('wall-clock replay', events, replayOf(clock, 0));

describe('where neither seam nor clock is there', () => {
  it('says what to expose, so that no other defect is taken for the cause', () => {
    const seen = [source, absent, unfinishedRun('wall-clock source', 'answered 404')];
    const step = 'expose the seam workflow-revision with conformance-determinism-constant';
    const remedies = [judgeNotACopy, judgeHistory].map((judge) => judge(seen).remedies);
    expect(remedies).toEqual([[{ step: `${step}, or seed conformance-determinism-wall-clock` }], [{ step }]]);
    const unseeded = { ...unfinishedRun('source', 'answered 404'), runId: null, answered: 404 };
    const { reason } = judgeHistory([unseeded]);
    expect(reason).toBe(
      'conformance-determinism-constant could not be run (answered 404): seed conformance-determinism-constant, with the seam workflow-revision',
    );
  });
});

describe('a replay by changed code', () => {
  it('passes where it shows the new value, or says that it diverged', () => {
    expect(judgeNotACopy([source, changed, fresh, revised(logged('second'))])).toMatchObject({
      verdict: 'pass',
      reason: 'seen by a changed workflow',
    });
    const reported = logged('third', [say('replay.diverged', {}, 'constant')]);
    expect(judgeNotACopy([source, changed, fresh, revised(reported)]).verdict).toBe('pass');
  });

  it('fails, by name, where it is the source again', () => {
    expect(judgeNotACopy([source, changed, fresh, revised(logged('first'))])).toMatchObject({
      verdict: 'fail',
      diagnosis: { code: 'copied-log' },
    });
  });

  it('passes where events show no values, and its snapshot the new one', () => {
    const blind = [say('run.started'), say('node.started', {}, 'after'), say('run.completed')];
    const as = (role: string, value: string, more = {}) =>
      runAs(role, blind, { ...more, snapshot: { status: 'completed', variables: { constant: value } } });
    const seen = [as('source', 'first'), changed, as('fresh run', 'second')];
    const replay = (value: string) => as('revised replay', value, replayOf(source, 0));
    expect(judgeNotACopy([...seen, replay('second')]).verdict).toBe('pass');
    expect(judgeNotACopy([...seen, replay('first')]).verdict).toBe('fail');
  });

  it('fails where its log is the source’s, whatever its snapshot shows', () => {
    const replay = runAs('revised replay', logged('first'), {
      ...replayOf(source, 0),
      snapshot: { status: 'completed', variables: { constant: 'second' } },
    });
    expect(judgeNotACopy([source, changed, fresh, replay]).verdict).toBe('fail');
  });

  it('fails where it is refused', () => {
    expect(judgeNotACopy([source, changed, fresh, refusedReplay('revised replay', source)]).verdict).toBe('fail');
  });

  it.each([
    ['the revision changed nothing', [source, changed, runAs('fresh run', logged('first')), revised(logged('first'))]],
    ['it shows neither value', [source, changed, fresh, revised(logged('third'))]],
    [
      'it was not seen',
      [source, changed, fresh, unfinishedRun('revised replay', 'the run has not ended', replayOf(source, 0))],
    ],
    ['there is neither seam nor clock', [source, absent, unfinishedRun('wall-clock source', 'answered 404')]],
    ['nothing was driven', []],
  ])('is undecided where %s', (_, observations) => {
    expect(judgeNotACopy(observations).verdict).toBe('inconclusive');
  });
});

describe('a clock that nobody records, where the code cannot be changed', () => {
  it('passes where the replay reads another time', () => {
    expect(judgeNotACopy([source, absent, clock, clockReplay(logged('10:01'))]).verdict).toBe('pass');
  });

  it('fails where the replay reads the same time, to the nanosecond', () => {
    expect(judgeNotACopy([source, absent, clock, clockReplay(logged('10:00'))])).toMatchObject({
      verdict: 'fail',
      diagnosis: { code: 'copied-log' },
    });
  });

  it('is undecided where no event has a payload', () => {
    const blind = [say('run.started', null), say('run.completed', null)];
    const seen = [runAs('wall-clock source', blind), runAs('wall-clock replay', blind, replayOf(clock, 0))];
    expect(judgeNotACopy([source, absent, ...seen]).verdict).toBe('inconclusive');
  });

  it('fails where the fork is refused', () => {
    expect(judgeNotACopy([source, absent, clock, refusedReplay('wall-clock replay', clock)]).verdict).toBe('fail');
  });
});

describe('the fixed history under changed code', () => {
  it('passes where it stays the source’s', () => {
    expect(judgeHistory([source, changed, fresh, rest(logged('first'))]).verdict).toBe('pass');
  });

  it('fails where the new code wrote it', () => {
    expect(judgeHistory([source, changed, fresh, rest(logged('second'))])).toMatchObject({
      verdict: 'fail',
      evidence: ['revised replay of the rest', 'source'],
    });
  });

  it('is undecided where new runs do not show that the code has changed, or were not seen', () => {
    const unchanged = runAs('fresh run', logged('first'));
    expect(judgeHistory([source, changed, unchanged, rest(logged('first'))])).toMatchObject({
      verdict: 'inconclusive',
      reason: expect.stringContaining('do not show different values') as string,
    });
    expect(judgeHistory([source, changed, rest(logged('first'))]).verdict).toBe('inconclusive');
    // What was rewritten was rewritten all the same.
    expect(judgeHistory([source, changed, unchanged, rest(logged('second'))]).verdict).toBe('fail');
  });

  it('is undecided where the code cannot be changed, or the replay was not seen', () => {
    expect(judgeHistory([source, absent])).toMatchObject({
      verdict: 'inconclusive',
      reason: expect.stringContaining('workflow-revision') as string,
    });
    const slow = unfinishedRun('revised replay of the rest', 'the run has not ended', replayOf(source, 2));
    expect(judgeHistory([source, changed, slow]).verdict).toBe('inconclusive');
  });
});
