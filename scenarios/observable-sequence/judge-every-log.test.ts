import { describe, expect, it } from 'vitest';
import type { Json } from '../../src/evidence/types.ts';
import type { Recorded } from '../../src/runner/scenario.ts';
import {
  judgementIn,
  replayOf,
  refusedReplay,
  runAs,
  say,
  unfinishedRun,
  type Said,
} from '../../test/recorded-runs.ts';
import type { ReadingObservation } from '../shared/reading.ts';
import type { RecordedRun } from '../shared/need.ts';
import type { Recordings } from '../shared/of-type.ts';
import { sweepForks } from './sweep.ts';

const judgeEveryNumber = (seen: Recordings) => judgementIn(sweepForks, 'sequence.monotonic.every-log', seen);
const judgeEveryEnd = (seen: Recordings) => judgementIn(sweepForks, 'sequence.single-terminal-event.every-log', seen);

const TOLD: readonly Said[] = [
  say('run.started'),
  say('node.started', {}, 'branch-a'),
  say('node.started', {}, 'branch-b'),
  say('run.completed'),
];
const source = runAs('source of conformance-determinism-parallel', TOLD);
const fork = runAs('replay from 2', TOLD, replayOf(source, 2));

/** The run with these numbers, in the log's order. */
function numbered(run: RecordedRun, ...numbers: readonly number[]): RecordedRun {
  const events = run.events.map((event, index) => ({
    ...(event as { [name: string]: Json }),
    sequence: numbers[index] ?? 0,
  }));
  return { ...run, events };
}

/** The log of a run as a document showed it. */
function whole({ role, runId, events }: RecordedRun): Recorded<ReadingObservation> {
  const shown = events.map((data) => ({ id: null, name: null, data }));
  const how = { transport: 'json', how: 'start', after: null, partial: false } as const;
  return {
    id: `json of ${role}`,
    type: 'reading',
    run: role,
    runId: runId ?? '',
    ...how,
    events: shown,
    exchanges: [],
  };
}

const absent = unfinishedRun('source of conformance-noop', 'the request was answered with 404');

describe('the numbers of every log', () => {
  it('pass where all count up, from 0 or not, with gaps or not, and say what was seen', () => {
    expect(judgeEveryNumber([source, numbered(fork, 1, 4, 5, 9), absent, whole(source)])).toEqual({
      check: 'sequence.monotonic.every-log',
      verdict: 'pass',
      reason: '2 logs of 1 fixtures and of their forks; left out: noop (the request was answered with 404)',
      evidence: [source.id, fork.id, `json of ${source.role}`],
    });
  });

  it('fail where two branches of a source share one', () => {
    expect(judgeEveryNumber([numbered(source, 0, 1, 1, 2), fork])).toMatchObject({
      verdict: 'fail',
      expected: `a sequence number above 1 for event 3 (node.started) of the log of the ${source.role} ${source.runId ?? ''}`,
      actual: '1, which event 2 has (node.started)',
      evidence: [source.id],
    });
  });

  it('fail where a fork repeats the last number of its history, and where only a document shows it', () => {
    const wrong = numbered(fork, 0, 1, 1, 2);
    expect(judgeEveryNumber([source, wrong])).toMatchObject({ verdict: 'fail', evidence: [fork.id] });
    expect(judgeEveryNumber([source, fork, whole(wrong)])).toMatchObject({
      verdict: 'fail',
      evidence: ['json of replay from 2'],
    });
  });

  it('fail where a document shows a text for one', () => {
    const events = source.events.map((event) => ({ ...(event as { [name: string]: Json }), sequence: '2' }));
    expect(judgeEveryNumber([source, fork, whole({ ...source, events })])).toMatchObject({
      verdict: 'fail',
      actual: '"2"',
      evidence: [`json of ${source.role}`],
    });
  });

  it('fail where they go back', () => {
    expect(judgeEveryNumber([numbered(source, 0, 2, 1, 3)])).toMatchObject({ verdict: 'fail', actual: '1' });
  });

  it('do not ask for forks, which are the business of other rows', () => {
    expect(judgeEveryNumber([source, refusedReplay('replay from 0', source)]).verdict).toBe('pass');
  });

  it.each([
    ['nothing was seen', []],
    ['no source was made', [absent]],
    ['there is no pair of events', [runAs('source of conformance-noop', [say('run.completed')])]],
  ])('are undecided where %s', (_, observations) => {
    expect(judgeEveryNumber(observations)).toMatchObject({ verdict: 'inconclusive', evidence: [] });
  });
});

describe('the ends of every log', () => {
  it('pass where each is the only one and last', () => {
    expect(judgeEveryEnd([source, fork, whole(source), whole(fork)])).toMatchObject({
      verdict: 'pass',
      reason: '2 logs of 1 fixtures and of their forks',
    });
  });

  it.each([
    ['the end comes twice', say('run.completed'), '2 terminal events; the log ends with run.completed, run.completed'],
    [
      'something follows the end',
      say('log.appended'),
      '1 terminal events; the log ends with run.completed, log.appended',
    ],
  ])('fail where %s, seen in a document or on the way', (_, more, actual) => {
    const wrong = { ...fork, events: runAs('replay from 2', [...TOLD, more]).events };
    expect(judgeEveryEnd([source, fork, whole(wrong)])).toMatchObject({ verdict: 'fail', actual });
    expect(judgeEveryEnd([source, wrong])).toMatchObject({ verdict: 'fail', actual, evidence: [fork.id] });
  });

  it('do not mind a document that lags behind the end that was seen', () => {
    const lagging = whole({ ...source, events: source.events.slice(0, 2) });
    expect(judgeEveryEnd([source, fork, lagging, whole(fork)]).verdict).toBe('pass');
    const judgement = judgeEveryEnd([source, lagging]);
    expect(judgement).toMatchObject({ verdict: 'inconclusive', restsOn: 'sequence.single-terminal-event' });
    expect(judgement.reason).toContain('does not show the end that was seen on the way');
  });

  it('are undecided where no log was read past its end, and where nothing was seen', () => {
    const unread = 'no log could be read past its end';
    expect(judgeEveryEnd([source, fork])).toMatchObject({
      verdict: 'inconclusive',
      reason: `${unread}: no list was answered: answer GET of its events with JSON, or its poll`,
    });
    expect(judgeEveryEnd([absent])).toMatchObject({
      verdict: 'inconclusive',
      reason: `${unread}: run the public workflow conformance-noop, or name one of your own with --workflow ID or in fixtures; noop (the request was answered with 404)`,
    });
  });
});

describe('a log that was read and could not be followed', () => {
  const problem = 'it goes on no further';
  const endless = { ...fork, problem, events: fork.events.slice(0, -1), snapshot: { status: 'completed' } };

  it('fails the row about ends where it has none, though its snapshot says that the run has ended', () => {
    expect(judgeEveryEnd([source, endless, whole(source)])).toMatchObject({
      verdict: 'fail',
      actual: '0 terminal events; the log ends with run.started, node.started, node.started',
      evidence: [fork.id],
    });
    const goesOn = { ...endless, snapshot: { status: 'running' } };
    expect(judgeEveryEnd([source, goesOn, whole(source)]).verdict).toBe('pass');
  });

  it.each([1.5, -1])('fails the row about numbers where one is %d', (number) => {
    const run = { ...numbered(source, number, 2, 3, 4), problem };
    expect(judgeEveryNumber([run])).toMatchObject({ verdict: 'fail', actual: String(number), evidence: [source.id] });
  });
});
