import { describe, expect, it } from 'vitest';
import { createAllowance, FREE_BYTES } from './bounded-body.ts';

const MIB = 1024 * 1024;

describe('createAllowance', () => {
  it('lets every answer have the most at first, and never refuses a short one', () => {
    const allowance = createAllowance(8 * MIB);
    expect(allowance.bound()).toBe(8 * MIB);
    for (let answer = 0; answer < 100_000; answer += 1) allowance.spend(FREE_BYTES);
    expect(allowance.bound()).toBe(8 * MIB);
  });

  it('falls with what is left, so that answers together stay below the total', () => {
    const allowance = createAllowance(8 * MIB, 64 * MIB);
    let received = 0;
    for (let answer = 0; answer < 1000; answer += 1) {
      const bytes = allowance.bound();
      received += bytes - FREE_BYTES;
      allowance.spend(bytes);
    }
    expect(received).toBeLessThanOrEqual(64 * MIB);
    expect(allowance.bound()).toBe(FREE_BYTES);
  });
});
