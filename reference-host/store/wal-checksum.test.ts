import { describe, expect, it } from 'vitest';
import { checksumOver, sameChecksum } from './wal-checksum.ts';

const ZERO = { first: 0, second: 0 };
const BYTES = Buffer.from(Array.from({ length: 256 }, (_, index) => (index * 131 + 7) % 256));

describe('checksumOver', () => {
  it('adds words in pairs, each sum into the other', () => {
    const bytes = Buffer.from([1, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0, 4, 0, 0, 0]);
    expect(checksumOver(ZERO, bytes, true)).toEqual({ first: 1 + 3 + 3, second: 3 + 4 + 7 });
    expect(checksumOver(ZERO, bytes.swap32(), false)).toEqual({ first: 7, second: 14 });
  });

  it('wraps at 32 bits and stays unsigned', () => {
    expect(checksumOver({ first: 2 ** 32 - 1, second: 1 }, Buffer.alloc(8), true)).toEqual({ first: 0, second: 1 });
  });

  it('goes on from where it was', () => {
    const half = checksumOver(ZERO, BYTES.subarray(0, 128), true);
    const whole = checksumOver(ZERO, BYTES, true);
    expect(checksumOver(half, BYTES.subarray(128), true)).toEqual(whole);
    expect(sameChecksum(whole, { ...whole })).toBe(true);
    expect(sameChecksum(whole, half)).toBe(false);
  });
});
