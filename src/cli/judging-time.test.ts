import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { judgingBeside } from './judging-time.ts';

// On a clock of its own: a busy machine takes longer for whatever is done.
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

function afterBusy(milliseconds: number): string {
  vi.advanceTimersByTime(milliseconds);
  return 'judged';
}

describe('the time for judging beside a run', () => {
  it('is over with the run’s own, and what was judged then does not count', () => {
    const inTime = judgingBeside(100);
    expect(inTime((isOver) => isOver())).toBe(false);
    expect(inTime(() => afterBusy(120))).toBeUndefined();
    expect(inTime(() => 'judged')).toBeUndefined();
  });

  it('is over for all that is judged together', () => {
    const inTime = judgingBeside(600_000);
    expect(inTime(() => afterBusy(40_000))).toBe('judged');
    expect(inTime(() => afterBusy(40_000))).toBeUndefined();
    expect(inTime(() => 'judged')).toBeUndefined();
  });
});
