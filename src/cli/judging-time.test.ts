import { describe, expect, it } from 'vitest';
import { judgingBeside } from './judging-time.ts';

function busyFor(milliseconds: number): void {
  const end = performance.now() + milliseconds;
  while (performance.now() < end);
}

function afterBusy(milliseconds: number): string {
  busyFor(milliseconds);
  return 'judged';
}

describe('the time for judging beside a run', () => {
  it('is over with the run’s own, and what was judged then does not count', () => {
    const inTime = judgingBeside(100);
    expect(inTime((isOver) => isOver())).toBe(false);
    expect(inTime(() => busyFor(120))).toBeUndefined();
    expect(inTime(() => 'judged')).toBeUndefined();
  });

  it('is over for all that is judged together', () => {
    const inTime = judgingBeside(60_000, 100);
    expect(inTime(() => afterBusy(60))).toBe('judged');
    expect(inTime(() => afterBusy(60))).toBeUndefined();
    expect(inTime(() => 'judged')).toBeUndefined();
  });
});
