import { describe, expect, it } from 'vitest';
import { as, event, fork, LOG, recorded, refusedFork, run, short } from '../../test/fork-observations.ts';
import { OPTIONS } from '../../test/recorded-runs.ts';
import type { Json } from '../../src/evidence/types.ts';
import type { Judgement } from '../../src/contract/verdict.ts';
import type { RunObservation } from '../shared/run-observation.ts';
import { fullReplay } from './full-replay.ts';

function clockLog(value: Json): readonly Json[] {
  return [
    event(0, 'run.started'),
    event(1, 'variable.changed', { nodeId: 'wall-clock', payload: { name: 'time', value } }),
    event(2, 'run.completed'),
  ];
}

const source = run('source');
const replay = fork('replay', 'run_b', { fromSeq: null, answer: { runId: 'run_b', fromSeq: 0 } });
const clock = run('clock source', { events: clockLog('10:00') });
const clockReplay = (value: Json) => fork('clock replay', 'run_d', { events: as('run_d', clockLog(value)) });
const unseeded = run('clock source', { runId: null, answered: 404, problem: 'unknown' });

function judge(...observations: readonly RunObservation[]): Judgement {
  const all = fullReplay.judge(recorded(...observations), OPTIONS);
  const judgement = all.find(({ check }) => check === 'fork.replay-defaults-to-zero');
  if (judgement === undefined) throw new TypeError('the row is judged');
  return judgement;
}

function taken(ms: number): readonly Json[] {
  return [event(0, 'run.started'), event(1, 'run.completed', { payload: { ms } })];
}

describe('a replay without fromSeq', () => {
  it('leaves out what is declared volatile, and notes what differs beside what happened', () => {
    const seen = recorded(
      run('source', { events: taken(3) }),
      fork('replay', 'run_b', { events: as('run_b', taken(4)), fromSeq: null }),
    );
    const verdict = (volatile: readonly string[]) =>
      fullReplay.judge(seen, { ...OPTIONS, volatile }).find(({ check }) => check === 'fork.replay-defaults-to-zero');
    expect(verdict(['/payload/ms'])).toMatchObject({
      verdict: 'pass',
      reason: expect.stringContaining('not compared: /payload/ms') as string,
    });
    expect(verdict([])).toMatchObject({
      verdict: 'pass',
      reason: expect.stringContaining('the same; beside it, sequence 1, run.completed, in the replay run_b') as string,
    });
  });

  it('passes with the whole log, executed anew', () => {
    const judgement = judge(source, replay, clock, clockReplay('10:01'));
    expect(judgement).toMatchObject({ verdict: 'pass', evidence: ['o2', 'o1', 'o4', 'o3'] });
    expect(judgement.reason).toBeUndefined();
  });

  it('passes without the clock fixture, and says what was not shown', () => {
    expect(judge(source, replay, unseeded)).toMatchObject({ verdict: 'pass' });
    expect(judge(source, replay, unseeded).reason).toContain('seed conformance-determinism-wall-clock');
    const failed = {
      eventId: 'e',
      sequence: 0,
      type: 'run.failed',
      payload: { error: { code: 'unsupported_node_type' } },
    };
    const why = 'the fixture was not executed';
    const unsupported = run('clock source', { events: [failed], problem: why });
    expect(judge(source, replay, unsupported)).toMatchObject({ verdict: 'pass', reason: expect.stringContaining(why) });
    const blank = run('clock source');
    const same = fork('clock replay', 'run_d');
    expect(judge(source, replay, blank, same)).toMatchObject({ verdict: 'pass' });
    expect(judge(source, replay, blank, same).reason).toContain('does not show what its clock said');
  });

  it('passes with another log that it reports, where its answer says where it begins', () => {
    const events = [...LOG.slice(0, -1), event(9, 'replay.diverged'), event(10, 'run.cancelled')];
    const differing = { ...replay, events: as('run_b', events) };
    expect(judge(source, differing, clock, clockReplay('10:01'))).toMatchObject({
      verdict: 'pass',
      reason: expect.stringContaining('says so') as string,
    });
    expect(judge(source, differing, unseeded).reason).toContain('says so; that the replay was executed');
    expect(judge(source, differing, clock, clockReplay('10:00')).verdict).toBe('fail');
    expect(judge(source, { ...differing, answer: { runId: 'run_b' } })).toMatchObject({
      verdict: 'inconclusive',
      reason: expect.stringContaining('where it begins') as string,
    });
  });

  it('fails where it starts elsewhere', () => {
    const later = { ...replay, answer: { runId: 'run_b', fromSeq: 2 } };
    expect(short(judge(source, later, unseeded))).toBe('fail default-not-zero');
    const control = fork('replay from the first event', 'run_c', { fromSeq: 0 });
    expect(short(judge(source, later, control))).toBe('fail default-not-zero');
    expect(judge(source, later, control).restsOn).toBeUndefined();
    const alike = { ...control, answer: { runId: 'run_c', fromSeq: 2 } };
    expect(judge(source, later, alike).restsOn).toBe('fork.created');
  });

  it('fails where it is refused and one from the first event is not, and is judged no further', () => {
    const refused = { ...refusedFork('replay', 400), fork: replay.fork };
    const control = fork('replay from the first event', 'run_b', { fromSeq: 0 });
    expect(short(judge(source, refused, control))).toBe('fail default-refused');
    const nothing = { ...control, runId: null, answered: 400, problem: 'refused' };
    for (const others of [[], [nothing]])
      expect(judge(source, refused, ...others)).toMatchObject({ restsOn: 'fork.created' });
  });

  it('fails with another log', () => {
    expect(judge(source, { ...replay, events: as('run_b', LOG.slice(1)) }, unseeded).verdict).toBe('fail');
  });

  it("fails with the source's reading of the clock", () => {
    const events = [
      event(0, 'run.started'),
      event(1, 'node.completed', { nodeId: 'wall-clock', payload: { outputs: 'x' } }),
    ];
    const [put, copied] = [
      { ...clock, events: as('run_a', events) },
      { ...clockReplay(''), events: as('run_d', events) },
    ];
    expect(short(judge(source, replay, put, copied))).toBe('fail copied-log');
    expect(short(judge(source, replay, clock, clockReplay('10:00')))).toBe('fail copied-log');
  });

  it('is undecided where a run was not seen', () => {
    expect(short(judge())).toBe('inconclusive');
    expect(short(judge(source))).toBe('inconclusive');
    expect(short(judge(source, { ...replay, problem: 'the run has not ended' }, unseeded))).toBe('inconclusive');
    expect(short(judge(source, replay, { ...clock, problem: 'the run has not ended' }))).toBe('inconclusive');
    expect(short(judge(source, refusedFork('replay', 429), unseeded))).toBe('inconclusive');
  });

  it('fails where it is refused although advertised', () => {
    expect(short(judge(source, refusedFork('replay', 400), unseeded))).toBe('fail fork-refused');
  });
});
