import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { judgingBeside, judgingTime } from './judging-time.ts';

let cpuMs = 0;

// On clocks of its own: a busy machine takes longer for whatever is done.
beforeEach(() => {
  cpuMs = 0;
  vi.useFakeTimers({ toFake: ['performance'] });
  vi.spyOn(process, 'cpuUsage').mockImplementation((before) => ({
    user: cpuMs * 1000 - (before?.user ?? 0),
    system: 0,
  }));
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

function afterBusy(milliseconds: number, share = 1): string {
  vi.advanceTimersByTime(milliseconds);
  cpuMs += milliseconds * share;
  return 'judged';
}

describe('the time for judging beside a run', () => {
  it('is over with the run’s own, and what was judged then does not count', () => {
    const inTime = judgingBeside(100);
    expect(inTime((isOver) => isOver())).toBe(false);
    expect(inTime(() => afterBusy(120, 0))).toBeUndefined();
    expect(inTime(() => 'judged')).toBeUndefined();
  });

  it('is over for all that is judged together', () => {
    const inTime = judgingBeside(600_000);
    expect(inTime(() => afterBusy(40_000))).toBe('judged');
    expect(inTime(() => afterBusy(40_000))).toBeUndefined();
    expect(inTime(() => 'judged')).toBeUndefined();
  });

  it('does not pass while the machine serves others', () => {
    const inTime = judgingBeside(600_000);
    expect(inTime(() => afterBusy(100_000, 0.25))).toBe('judged');
    expect(inTime(() => afterBusy(100_000, 0.25))).toBe('judged');
    expect(inTime(() => afterBusy(100_000, 0.25))).toBeUndefined();
  });
});

describe('the time for judging', () => {
  it('is that of the processor, by the clock at most five times as long', () => {
    const isOver = judgingTime();
    afterBusy(100_000, 0.5);
    expect(isOver()).toBe(false);
    afterBusy(10_000);
    expect(isOver()).toBe(true);
    const isOverAtLast = judgingTime();
    afterBusy(299_000, 0.1);
    expect(isOverAtLast()).toBe(false);
    afterBusy(1000, 0);
    expect(isOverAtLast()).toBe(true);
  });

  it('passes by the clock where threads take more of the processor than that', () => {
    const isOver = judgingTime();
    afterBusy(40_000, 2);
    expect(isOver()).toBe(false);
  });
});
