import { afterEach, beforeEach, vi } from 'vitest';

/**
 * In this file's tests, or in those of a `describe`, pauses end at once, in their order: the clock jumps to the next one
 * whenever nothing else is left to do. For work in this process only: what sockets, files or other processes take is no
 * time on this clock.
 */
export function useFastClock(): void {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date', 'performance'] });
    vi.setTimerTickMode('nextTimerAsync');
  });
  afterEach(() => {
    vi.useRealTimers();
  });
}
