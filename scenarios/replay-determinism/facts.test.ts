import { describe, expect, it } from 'vitest';
import { member } from '../../src/contract/discovery.ts';
import type { Json, Observation } from '../../src/evidence/types.ts';
import type { Recorded } from '../../src/runner/scenario.ts';
import type { RunObservation } from '../shared/run-observation.ts';
import { OPTIONS, replayCalled, runCalled, unfinished, type Said, verdictOf } from '../../test/recorded-runs.ts';
import { facts } from './facts.ts';

type AnyRecorded = Recorded<Observation>;

function fact(memoryId: string): Said {
  return ['memory.written', { memoryId, writtenAt: '10:00' }];
}

function factsFrom(from: number, ...told: readonly Said[]): Recorded<RunObservation> {
  return replayCalled(`rep${from}`, [['run.started'], ...told, ['run.completed']], { from });
}

function retimed(timestamp: string): Recorded<RunObservation> {
  const replay = factsFrom(2, fact('a'), fact('b'));
  return { ...replay, events: replay.events.map((event) => ({ ...(event as object), timestamp })) };
}

const source = runCalled('src', [['run.started'], fact('a'), fact('b'), ['run.completed']]);
const executed = 'replay.recorded-facts-verbatim';
const inherited = `${executed}.in-history`;

describe('recorded facts', () => {
  it('pass where they are the same on both sides of the fork', () => {
    const seen = [source, factsFrom(2, fact('a'), fact('b'))];
    expect(verdictOf(facts, executed, seen)).toBe('pass');
    expect(verdictOf(facts, inherited, seen)).toBe('pass');
  });

  it('fail on the side where they are not, or are not there', () => {
    const before = [source, factsFrom(2, fact('x'), fact('b'))];
    expect([verdictOf(facts, executed, before), verdictOf(facts, inherited, before)]).toEqual([
      'pass',
      'fail regenerated-fact',
    ]);
    const after = [source, factsFrom(2, fact('a'), fact('x'))];
    expect([verdictOf(facts, executed, after), verdictOf(facts, inherited, after)]).toEqual([
      'fail regenerated-fact',
      'pass',
    ]);
    expect(verdictOf(facts, executed, [source, factsFrom(2, fact('a'))])).toBe('fail regenerated-fact');
    expect(verdictOf(facts, executed, [source, factsFrom(2, fact('a'), fact('b'), fact('b'))])).toBe(
      'fail regenerated-fact',
    );
  });

  it('that the history lacks are not asked of those behind it', () => {
    const lacks = factsFrom(2, fact('b'));
    const events = lacks.events.map((event, index) => ({
      ...(event as object),
      sequence: index === 0 ? 0 : index + 1,
    }));
    const seen = [source, { ...lacks, events }];
    expect([verdictOf(facts, executed, seen), verdictOf(facts, inherited, seen)]).toEqual([
      'pass',
      'fail regenerated-fact',
    ]);
  });

  it('note where the envelope of an inherited fact has another time', () => {
    const was = String(member(source.events[1], 'timestamp'));
    const reasons = [was, '2031-01-01T00:00:00Z'].map((time) => {
      const judged = facts.judge([source, retimed(time)], OPTIONS).find(({ check }) => check === inherited);
      return [judged?.verdict, judged?.reason?.includes('advisory: the timestamp in the envelope')];
    });
    expect(reasons).toEqual([
      ['pass', undefined],
      ['pass', true],
    ]);
  });

  it('say nothing where no fact shows an identifier or a timestamp', () => {
    const both = (payload: Json): readonly string[] => {
      const said: readonly Said[] = [
        ['run.started'],
        ['memory.written', payload],
        ['memory.written', payload],
        ['run.completed'],
      ];
      const seen = [runCalled('src', said), replayCalled('rep2', said, { from: 2 })];
      return [verdictOf(facts, executed, seen), verdictOf(facts, inherited, seen)];
    };
    for (const hidden of [{}, { key: 'greeting' }, { memoryId: '' }, { text: 'hello', size: 5 }]) {
      expect([hidden, ...both(hidden)]).toEqual([hidden, 'inconclusive', 'inconclusive']);
    }
    for (const told of [
      { memory: { id: 'm1' } },
      { written: '2026-01-01T00:00:00Z' },
      { writtenAt: 1_700_000_000 },
      { reference: 'mem_01JH2K9PZ4W7X8Y9ZABCDEFGHJ' },
      { entries: ['6f9619ff-8b86-4d01-b42d-00cf4fc964ff'] },
    ]) {
      expect([told, ...both(told)]).toEqual([told, 'pass', 'pass']);
    }
    const half = runCalled('src', [['run.started'], ['memory.written', {}], fact('b'), ['run.completed']]);
    const seen = [half, factsFrom(2, ['memory.written', {}], fact('b'))];
    expect([verdictOf(facts, executed, seen), verdictOf(facts, inherited, seen)]).toEqual(['pass', 'inconclusive']);
  });

  it('say nothing where nothing was driven, nothing was written, or no fork shows the side', () => {
    const bare: readonly Said[] = [['run.started'], ['run.completed']];
    expect([verdictOf(facts, executed, []), verdictOf(facts, inherited, [])]).toEqual(['inconclusive', 'inconclusive']);
    expect(verdictOf(facts, executed, [runCalled('src', bare), replayCalled('rep', bare)])).toBe('inconclusive');
    expect(verdictOf(facts, inherited, [source, factsFrom(0, fact('a'), fact('b'))])).toBe('inconclusive');
  });
});

/** What both checks say of a workflow that a sweep ran, beside the fixture's runs. */
function beside(own: readonly AnyRecorded[], ...swept: readonly AnyRecorded[]): readonly [string, string] {
  const everything = swept.map((run) => ({ ...run, scenario: 'sequence.sweep' }));
  return [verdictOf(facts, executed, own, everything), verdictOf(facts, inherited, own, everything)];
}

const theirs = runCalled('their', [['run.started'], fact('a'), fact('b'), ['run.completed']], {
  role: 'source of vendor.flow',
});
const again = (...said: readonly Said[]): AnyRecorded => replayCalled('their2', said, { of: 'their', from: 2 });
const kept = again(['run.started'], fact('a'), fact('b'), ['run.completed']);
const minted = again(['run.started'], fact('a'), fact('x'), ['run.completed']);
const absent = runCalled('src', [], { runId: null, problem: 'POST /v1/runs was answered with 404', answered: 404 });

describe('recorded facts of whatever a sweep saw', () => {
  it('decide where the host lacks the fixture', () => {
    expect(beside([absent])).toEqual(['inconclusive', 'inconclusive']);
    expect(beside([absent], theirs, kept)).toEqual(['pass', 'pass']);
    expect(beside([absent], theirs, minted)).toEqual(['fail regenerated-fact', 'pass']);
  });

  it('are judged beside those of the fixture', () => {
    const own = [source, factsFrom(2, fact('a'), fact('b'))];
    expect(beside(own, theirs, kept)).toEqual(['pass', 'pass']);
    expect(beside(own, theirs, minted)).toEqual(['fail regenerated-fact', 'pass']);
    expect(beside([source, unfinished(factsFrom(2))], theirs, kept)).toEqual(['pass', 'pass']);
    expect(beside([source, unfinished(factsFrom(2))])).toEqual(['inconclusive', 'inconclusive']);
  });

  it('are judged also where the replay says that it differs', () => {
    const honest = again(['run.started'], fact('a'), ['replay.diverged'], fact('x'), ['run.completed']);
    expect(beside([absent], theirs, honest)).toEqual(['fail regenerated-fact', 'pass']);
  });

  it('say nothing where a replay does something else', () => {
    const failed = again(['run.started'], fact('a'), ['run.failed']);
    const more = again(['run.started'], fact('a'), ['variable.changed'], fact('x'), ['run.completed']);
    expect(beside([absent], theirs, failed, more)).toEqual(['inconclusive', 'inconclusive']);
  });

  it('are none of workflows that write no memory', () => {
    const idle: readonly Said[] = [['run.started'], ['run.completed']];
    const run = runCalled('their', idle, { role: 'source of vendor.flow' });
    expect(beside([absent], run, replayCalled('their2', idle, { of: 'their' }))).toEqual([
      'inconclusive',
      'inconclusive',
    ]);
  });
});
