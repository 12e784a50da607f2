import { EventEmitter } from 'node:events';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { Interrupted } from '../runner/stopped.ts';
import { INTERRUPT_CODES, watchForInterrupt } from './interruption.ts';

afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

/** A process that gets signals by `emit`, and notes what it said and with what it would have ended. */
function watched() {
  vi.useFakeTimers();
  const exit = vi.fn<(code: number) => void>();
  const write = vi.fn<(text: string) => void>();
  const own = Object.assign(new EventEmitter(), { exit, stderr: { write } });
  vi.stubGlobal('process', own);
  return { exit, write, own, signal: watchForInterrupt() };
}

describe('a process that is interrupted', () => {
  it.each(['SIGHUP', 'SIGINT', 'SIGTERM'] as const)('ends what it does at the first %s, and goes on', (name) => {
    const { exit, write, own, signal } = watched();
    expect(signal.aborted).toBe(false);
    own.emit(name, name);
    expect(signal.reason).toEqual(new Interrupted(name));
    expect(write.mock.calls).toEqual([[expect.stringContaining(`${name}: ending the run`)]]);
    expect(exit).not.toHaveBeenCalled();
  });

  it('ends at once by another signal, with the code of that one', () => {
    const { exit, own } = watched();
    own.emit('SIGTERM', 'SIGTERM');
    own.emit('SIGINT', 'SIGINT');
    expect(exit.mock.calls).toEqual([[INTERRUPT_CODES.SIGINT]]);
  });

  it('ends at once by the same signal, but for one that is handed on for the same press', () => {
    const { exit, own } = watched();
    own.emit('SIGINT', 'SIGINT');
    own.emit('SIGINT', 'SIGINT');
    expect(exit).not.toHaveBeenCalled();
    vi.advanceTimersByTime(300);
    own.emit('SIGINT', 'SIGINT');
    expect(exit.mock.calls).toEqual([[INTERRUPT_CODES.SIGINT]]);
  });
});
