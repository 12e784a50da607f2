import { describe, expect, it } from 'vitest';
import type { Observation } from '../../src/evidence/types.ts';
import { event, recorded, run, short } from '../../test/fork-observations.ts';
import { OPTIONS } from '../../test/recorded-runs.ts';
import type { RunObservation } from '../shared/run-observation.ts';
import { everySequence } from './every-sequence.ts';

const source = run('source');

function replay(fromSeq: number | null, more: Partial<RunObservation> = {}): RunObservation {
  const fork = { sourceRunId: 'run_a', mode: 'replay', fromSeq, advertised: true };
  const [runId, answer] = [`run_${fromSeq}`, answerTo(fromSeq)];
  return run(fromSeq === null ? 'replay' : `replay from ${fromSeq}`, { runId, answer, fork, ...more });
}

function answerTo(fromSeq: number | null) {
  const facts = { sourceRunId: 'run_a', fromSeq: fromSeq ?? 0, mode: 'replay', status: 'pending' };
  return { runId: `run_${fromSeq}`, ...facts, eventsUrl: `/v1/runs/run_${fromSeq}/events` };
}

function refused(fromSeq: number | null, answered = 501, more: Partial<RunObservation> = {}): RunObservation {
  return replay(fromSeq, { runId: null, answered, problem: `the request was answered with ${answered}`, ...more });
}

/** A refused replay of another run. */
function ofAnother(fromSeq: number | null): RunObservation {
  return refused(fromSeq, 500, { fork: { sourceRunId: 'run_t', mode: 'replay', fromSeq, advertised: true } });
}

/** A refused replay of a run, from its event 1. */
function refusedOf(sourceRunId: string): RunObservation {
  return refused(1, 501, { fork: { sourceRunId, mode: 'replay', fromSeq: 1, advertised: true } });
}

function judged(own: readonly Observation[], elsewhere: readonly Observation[] = [], scenario = 'sequence.sweep') {
  const all = recorded(...own, ...elsewhere);
  const everything = all.map((each, index) => ({
    ...each,
    scenario: index < own.length ? 'fork.every-sequence' : scenario,
  }));
  const [judgement] = everySequence.judge(all.slice(0, own.length), OPTIONS, everything);
  if (judgement === undefined) throw new TypeError('the row is judged');
  return judgement;
}

const whole = [source, replay(null), replay(0), replay(1), replay(2)];

describe('replays from every sequence number', () => {
  it('pass where each was made', () => {
    expect(judged(whole)).toMatchObject({ verdict: 'pass', evidence: ['o3', 'o4', 'o5'] });
  });

  it('fail where one was refused, and name it', () => {
    const judgement = judged([source, replay(null), replay(0), refused(1), refused(2)]);
    expect(judgement).toMatchObject({ verdict: 'fail', evidence: ['o4', 'o5'] });
    expect(judgement.actual).toBe(
      '501 for replay from 1 (mode replay from sequence 1 of run run_a); 2 replays were refused',
    );
    expect(judgement.restsOn).toBeUndefined();
  });

  it('need one from 0 as well where numbers begin with another', () => {
    const fromOne = run('source', { events: [event(1, 'run.started'), event(2, 'run.completed')] });
    expect(judged([fromOne, replay(null), replay(0), replay(1), replay(2)]).verdict).toBe('pass');
    expect(judged([fromOne, replay(null), replay(1), replay(2)]).verdict).toBe('pass');
    expect(judged([fromOne, replay(null), refused(0, 503), replay(1), replay(2)]).verdict).toBe('inconclusive');
    const judgement = judged([fromOne, replay(null), refused(0, 422), replay(1), replay(2)]);
    expect(judgement).toMatchObject({ verdict: 'fail', evidence: ['o3'] });
    expect(judgement.restsOn).toBeUndefined();
    expect(judgement.expected).toBe('201 from 0, the start of every run: the host offers the mode replay');
  });

  it.each([
    [0, 'pass'],
    [1, 'pass'],
    [2, 'fail'],
  ])('from 0 may be answered as the first number of the log, not as another one (%d)', (fromSeq, verdict) => {
    const fromOne = run('source', { events: [event(1, 'run.started'), event(2, 'run.completed')] });
    const fromZero = replay(0, { answer: { ...answerTo(0), fromSeq } });
    expect(judged([fromOne, replay(null), fromZero, replay(1), replay(2)]).verdict).toBe(verdict);
  });

  it('rest on the row about numbers where those of their source do not increase', () => {
    const disordered = run('source', { events: source.events.toReversed() });
    const restsOn = 'sequence.monotonic';
    expect(judged([disordered, replay(null), replay(0), refused(1)])).toMatchObject({ verdict: 'fail', restsOn });
    const elsewhere = replay(1, { answer: { ...answerTo(1), fromSeq: 0 } });
    expect(judged([disordered, replay(null), elsewhere])).toMatchObject({ verdict: 'fail', restsOn });
  });

  it.each([
    ['names another start', { fromSeq: 0 }, 'fromSeq is 0, not 2'],
    ['names itself as its source', { sourceRunId: 'run_2' }, 'sourceRunId is "run_2", not run_a'],
    ['names another mode', { mode: 'branch' }, 'mode is "branch", not replay'],
    ['has no status', { status: null }, 'status is null, not a status'],
    ['has no eventsUrl', { eventsUrl: '' }, 'eventsUrl is "", not a URL of the fork'],
    [
      'names the log of its source',
      { eventsUrl: '/v1/runs/run_a/events' },
      'eventsUrl is "/v1/runs/run_a/events", not a URL of the fork',
    ],
  ])('fail where the answer to a later one %s', (_, members, fault) => {
    const judgement = judged([source, replay(null), replay(0), replay(2, { answer: { ...answerTo(2), ...members } })]);
    expect(judgement).toMatchObject({ verdict: 'fail', evidence: ['o4'] });
    expect(judgement.actual).toBe(`${fault} for replay from 2 (mode replay from sequence 2 of run run_a)`);
    expect(judgement.restsOn).toBeUndefined();
  });

  it('rest on fork.created where the answer to the full replay has the same faults', () => {
    const wrong = (fromSeq: number | null) => replay(fromSeq, { answer: { ...answerTo(fromSeq), status: null } });
    expect(judged([source, wrong(null), wrong(1)])).toMatchObject({ verdict: 'fail', restsOn: 'fork.created' });
    const another = replay(2, { answer: { ...answerTo(2), status: null, mode: 'branch' } });
    expect(judged([source, wrong(null), another]).restsOn).toBeUndefined();
  });

  it.each([200, 202])('fail where one was answered with %d', (answered) => {
    const judgement = judged([source, replay(null), replay(0), replay(1, { answered }), refused(2, 503)]);
    expect(judgement).toMatchObject({ verdict: 'fail', evidence: ['o4'] });
    expect(judgement.actual).toBe(`${answered} for replay from 1 (mode replay from sequence 1 of run run_a)`);
    expect(judgement.restsOn).toBeUndefined();
  });

  it('rest on fork.created where no replay is answered with 201', () => {
    const answered = 200;
    const judgement = judged([source, replay(null, { answered }), replay(0, { answered }), replay(1, { answered })]);
    expect(judgement).toMatchObject({ verdict: 'fail', restsOn: 'fork.created' });
  });

  it.each([
    ['refused', refusedOf('run_1')],
    ['answered with another status', { ...refusedOf('run_1'), answered: 202, answer: {}, runId: 'run_z' }],
  ])('are not failed by a fork of a fork that was %s', (_, second) => {
    expect(judged(whole, [second]).verdict).toBe('pass');
  });

  it('rest on fork.created where no replay works at all', () => {
    expect(judged([source, refused(null), refused(0), refused(1)])).toMatchObject({
      verdict: 'fail',
      restsOn: 'fork.created',
    });
  });

  it('fail where another scenario was refused one', () => {
    expect(judged(whole, [refused(7)])).toMatchObject({ verdict: 'fail', evidence: ['o6'] });
  });

  it('fail where a full replay of another run was refused, or answered otherwise, unless that run waits', () => {
    const expected = '201 from 0, the start of every run: the host offers the mode replay';
    const other = run('source where the tool fails', { runId: 'run_t' });
    expect(judged(whole, [other, ofAnother(null)])).toMatchObject({ verdict: 'fail', evidence: ['o7'], expected });
    const made = replay(null, { ...ofAnother(null), answered: 201, runId: 'run_u', answer: answerTo(null) });
    const actual = 'sourceRunId is "run_a", not run_t for replay (mode replay of run run_t)';
    expect(judged(whole, [other, made])).toMatchObject({ verdict: 'fail', evidence: ['o7'], actual });
    const waiting = { ...other, events: other.events.slice(0, 2) };
    expect(judged(whole, [waiting, ofAnother(null)]).verdict).toBe('pass');
    expect(judged(whole, [waiting, other, ofAnother(null)]).verdict).toBe('pass');
  });

  it.each([
    ['of a suite in which data expires', refused(7), 'privacy.deleted-data'],
    ['from the start, which the first row about forks judges', refused(null), 'fork.full-replay'],
    ['from the start of what nobody has seen', ofAnother(null), 'sequence.sweep'],
    [
      'of a mode that nobody offers',
      refused(7, 501, { fork: { ...forkFacts(), advertised: false } }),
      'sequence.sweep',
    ],
    ['by a branch', refused(7, 501, { fork: { ...forkFacts(), mode: 'branch' } }), 'sequence.sweep'],
    ['at another time', refused(7, 503), 'sequence.sweep'],
    ['in evidence that was edited', { ...refused(7), fork: 7 } as unknown as Observation, 'sequence.sweep'],
  ])('are not failed by a refusal %s', (_, elsewhere, scenario) => {
    expect(judged(whole, [elsewhere], scenario).verdict).toBe('pass');
  });

  it('are undecided where nothing was driven', () => {
    expect(short(judged([]))).toBe('inconclusive');
    expect(short(judged([run('source', { runId: null, problem: 'no run' })]))).toBe('inconclusive');
    expect(short(judged([source, replay(null)]))).toBe('inconclusive');
    expect(short(judged([source, replay(null), refused(1, 503)]))).toBe('inconclusive');
  });
});

function forkFacts() {
  return { sourceRunId: 'run_a', mode: 'replay', fromSeq: 7, advertised: true };
}
