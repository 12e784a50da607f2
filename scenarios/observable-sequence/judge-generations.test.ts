import { describe, expect, it } from 'vitest';
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
import { generations } from './generations.ts';

const judgeReplayOfReplay = (seen: Recordings) => judgementIn(generations, 'sequence.replay-of-replay', seen);
const judgeConcurrentForks = (seen: Recordings) => judgementIn(generations, 'sequence.state-equal.concurrent', seen);

const TOLD: readonly Said[] = [
  say('run.started'),
  say('memory.written', { memoryId: 'm1' }, 'n'),
  say('run.completed'),
];
const OTHER = TOLD.map((each, at) => (at === 1 ? say('memory.written', { memoryId: 'm2' }, 'n') : each));

const source = runAs('source of conformance-determinism-memory-write', TOLD);
const first = runAs('concurrent replay 1', TOLD, replayOf(source, 0));
const second = (told = TOLD) => runAs('replay of a replay', told, replayOf(first, 0));
const after = (told = TOLD) => ({ ...runAs('source afterwards', told), runId: source.runId });

/** A log that names runs: at its start, and in a variable. */
function naming(start: string, written: string): readonly Said[] {
  return [
    say('run.started', { run: { self: start } }),
    say('variable.changed', { name: 'self', value: `of ${written}` }, 'n'),
    say('run.completed'),
  ];
}

function called(run: typeof source, runId: string) {
  return { ...run, runId };
}

/** The run with this variable in its snapshot. */
function holding(run: typeof source, self: string) {
  return { ...run, snapshot: { ...Object(run.snapshot), variables: { self } } };
}

/** The run with these numbers. */
function numbered(run: ReturnType<typeof runAs>, numbers: readonly number[]) {
  return { ...run, events: run.events.map((event, at) => ({ ...Object(event), sequence: numbers[at] })) };
}

describe('a replay of a replay', () => {
  it('passes where it is the source again', () => {
    expect(judgeReplayOfReplay([source, first, second(), after()])).toMatchObject({
      verdict: 'pass',
      reason: 'replays of replays of conformance-determinism-memory-write',
    });
  });

  it('fails where a record was lost on the way', () => {
    const judgement = judgeReplayOfReplay([source, first, second(OTHER), after()]);
    expect(judgement).toMatchObject({ verdict: 'fail', evidence: ['replay of a replay', source.id] });
    expect(judgement.actual).toContain('/payload/memoryId: "m2"');
  });

  it('fails where its history is another one than that of the replay, which began in the middle, too', () => {
    const half = runAs('concurrent replay 2', TOLD, replayOf(source, 2));
    const again = (told: readonly Said[]) => [
      runAs('replay of a replay from the middle, from there', told, replayOf(half, 2)),
    ];
    expect(judgeReplayOfReplay([source, half, ...again(TOLD), after()]).verdict).toBe('pass');
    expect(judgeReplayOfReplay([source, half, ...again(OTHER), after()])).toMatchObject({ verdict: 'fail' });
  });

  it('is measured by the numbers of the replay that it was made of, which may differ from those of the first run', () => {
    const half = numbered(runAs('concurrent replay 2', TOLD, replayOf(source, 1)), [0, 2, 3]);
    const again = (told: readonly Said[], fromSeq: number, numbers: readonly number[]) =>
      judgeReplayOfReplay([
        source,
        half,
        numbered(runAs('replay of a replay from the middle, from there', told, replayOf(half, fromSeq)), numbers),
        after(),
      ]);
    expect(again(TOLD, 2, [0, 3, 4])).toMatchObject({ verdict: 'pass' });
    expect(again(TOLD, 3, [0, 2, 4])).toMatchObject({ verdict: 'pass' });
    expect(again(OTHER, 3, [0, 2, 4])).toMatchObject({ verdict: 'fail' });
    // What stands before its start is history, with the numbers of that.
    expect(again(TOLD, 3, [0, 3, 4])).toMatchObject({ verdict: 'fail', restsOn: 'sequence.prefix-equal' });
  });

  it('may name any run that it comes from in a history that was copied to the byte', () => {
    const root = called(runAs(source.role, naming('root', 'root')), 'root');
    const half = called(runAs('concurrent replay 2', naming('root', 'root'), replayOf(root, 2)), 'half');
    const again = (start: string) => {
      const whole = runAs('replay of a replay from the middle', naming(start, 'own'), replayOf(half, 0));
      return judgeReplayOfReplay([
        holding(root, 'of root'),
        holding(half, 'of root'),
        holding(called(whole, 'own'), 'of own'),
      ]);
    };
    expect(again('own').verdict).toBe('pass');
    expect(again('stranger').verdict).toBe('fail');
  });

  it('rests on the row about forks made at once where the replay that it was made of differs', () => {
    const wrong = runAs('concurrent replay 1', OTHER, replayOf(source, 0));
    const again = runAs('replay of a replay', OTHER, replayOf(wrong, 0));
    expect(judgeReplayOfReplay([source, wrong, again, after()])).toMatchObject({
      verdict: 'fail',
      restsOn: 'sequence.state-equal.concurrent',
    });
  });

  it('fails where it is refused', () => {
    expect(judgeReplayOfReplay([source, first, refusedReplay('replay of a replay', first)]).verdict).toBe('fail');
  });

  it('is undecided where one of the runs was not seen', () => {
    const slow = unfinishedRun('replay of a replay', 'the run has not ended', replayOf(first, 0));
    expect(judgeReplayOfReplay([source, first, slow]).verdict).toBe('inconclusive');
    expect(judgeReplayOfReplay([unfinishedRun('source', 'the request was answered with 404')]).verdict).toBe(
      'inconclusive',
    );
  });
});

describe('forks made at once', () => {
  it('pass where all are the source, which stays as it was', () => {
    expect(judgeConcurrentForks([source, first, second(), after()])).toMatchObject({
      verdict: 'pass',
      reason: '1 forks of conformance-determinism-memory-write at once',
    });
  });

  it('fail where one of them differs, or the source does afterwards', () => {
    const mixed = runAs('concurrent replay 2', OTHER, replayOf(source, 0));
    const forks = judgeConcurrentForks([source, first, mixed, after(OTHER)]);
    expect(forks.verdict).toBe('fail');
    expect(forks.restsOn).toBeUndefined();
    const changed = judgeConcurrentForks([source, first, after(OTHER)]);
    expect(changed).toMatchObject({ verdict: 'fail', restsOn: 'fork.source-untouched' });
    // Other names of events have their own row between a source and its forks.
    const events = after().events.map((event, at) => ({ ...Object(event), eventId: `other-${at}` }));
    const named = { ...after(), events };
    expect(judgeConcurrentForks([source, first, named])).toMatchObject({ restsOn: 'fork.source-untouched' });
  });

  it('are undecided where one was not seen', () => {
    const slow = unfinishedRun('concurrent replay 2', 'the run has not ended', replayOf(source, 0));
    expect(judgeConcurrentForks([source, first, slow, after()]).verdict).toBe('inconclusive');
    expect(judgeConcurrentForks([]).verdict).toBe('inconclusive');
  });
});
