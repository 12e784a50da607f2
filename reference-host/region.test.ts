import { describe, expect, it } from 'vitest';
import { hostName, mayBeAlive, regionOf, wallClock } from './region.ts';

describe('a region', () => {
  it('has a clock of its own', () => {
    const plain = wallClock(undefined)();
    expect(Math.abs(wallClock('a')() - plain)).toBeLessThan(60_000);
    expect(wallClock('b')() - plain).toBeGreaterThan(6 * 60_000);
  });

  it('carries out its own runs; region a those that were made without regions', () => {
    expect([regionOf({ region: 'b' }), regionOf({ region: 'a' }), regionOf({})]).toEqual(['b', 'a', 'a']);
  });

  it('takes a process of its own name for dead, unless it is the same, and knows nothing of other regions', () => {
    const [a, b, plain] = [hostName('a', '1'), hostName('b', '1'), hostName(undefined, '1')];
    expect(mayBeAlive(a, a)).toBe(true);
    expect(mayBeAlive(a, hostName('a', '2'))).toBe(false);
    expect([mayBeAlive(a, b), mayBeAlive(b, a)]).toEqual([true, true]);
    expect([mayBeAlive(a, plain), mayBeAlive(plain, a), mayBeAlive(plain, hostName(undefined, '2'))]).toEqual([
      false,
      false,
      false,
    ]);
  });
});
