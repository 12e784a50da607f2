import { describe, expect, it } from 'vitest';
import { repeatPaced } from './paced.ts';
import { pause } from './pause.ts';
import { useFastClock } from '../../test/fast-clock.ts';

useFastClock();

function counting(): () => Promise<number> {
  let count = 0;
  return async () => (count += 1);
}

describe('repeatPaced', () => {
  const { signal } = new AbortController();

  it('makes one attempt where that is enough', async () => {
    expect(await repeatPaced(counting(), () => true, { patienceMs: 1000, signal })).toBe(1);
  });

  it('repeats until the result is what is waited for', async () => {
    expect(await repeatPaced(counting(), (count) => count === 3, { patienceMs: 5000, signal })).toBe(3);
  });

  it('makes three attempts where each takes longer than there is patience', async () => {
    const next = counting();
    const slow = async (): Promise<number> => {
      await pause(2000, signal);
      return next();
    };
    expect(await repeatPaced(slow, () => false, { patienceMs: 1000, signal })).toBe(3);
  });

  it('gives the last result when the patience ends, or the scenario', async () => {
    expect(await repeatPaced(counting(), () => false, { patienceMs: 0, signal })).toBe(1);
    expect(await repeatPaced(counting(), () => false, { patienceMs: 5000, signal: AbortSignal.abort() })).toBe(1);
    const stopped = new AbortController();
    const until3 = (count: number): boolean => {
      if (count === 3) stopped.abort();
      return false;
    };
    expect(await repeatPaced(counting(), until3, { patienceMs: 5000, signal: stopped.signal })).toBe(3);
  });
});
