import { describe, expect, it } from 'vitest';
import { runCalled, type Said } from '../../test/recorded-runs.ts';
import { forkPoints } from './replays.ts';

const EVENTS = Array.from({ length: 9 }, (): Said => ['node.started']);
const run = runCalled('src', [['run.started'], ...EVENTS, ['run.completed']]);

describe('forkPoints', () => {
  it('takes what is asked for first, then others from the end on, never the beginning', () => {
    expect(forkPoints(run, [3, 4], 0)).toEqual([3, 4]);
    expect(forkPoints(run, [3, 4], 3)).toEqual([3, 4, 10]);
    expect(forkPoints(run, [], 5)).toEqual([2, 4, 6, 8, 10]);
  });

  it('takes all where there is room', () => {
    expect(forkPoints(run, [3], 200)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    expect(forkPoints({ ...run, events: [] }, [], 200)).toEqual([]);
  });

  it('leaves out what is said about replays', () => {
    const replay = runCalled('src', [['run.started'], ['replay.diverged'], ['run.completed']]);
    expect(forkPoints(replay, [], 5)).toEqual([2]);
  });
});
