import { describe, expect, it } from 'vitest';
import { checksumOver, differsByOneBit, sameChecksum } from './wal-checksum.ts';

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
    expect(checksumOver(half, BYTES.subarray(128), true)).toEqual(checksumOver(ZERO, BYTES, true));
  });
});

describe.each([true, false])('differsByOneBit, words little-endian: %s', (littleEndian) => {
  const stored = checksumOver(ZERO, BYTES, littleEndian);

  it('finds every single bit of the bytes and of the checksum', () => {
    for (let bit = 0; bit < BYTES.length * 8; bit += 1) {
      const flipped = Buffer.from(BYTES);
      flipped.writeUInt8(flipped.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3);
      const computed = checksumOver(ZERO, flipped, littleEndian);
      expect(sameChecksum(stored, computed)).toBe(false);
      expect(differsByOneBit(stored, computed, BYTES.length)).toBe(true);
    }
    expect(differsByOneBit({ ...stored, first: (stored.first ^ 16) >>> 0 }, stored, BYTES.length)).toBe(true);
  });

  it('does not take more than a bit for one', () => {
    for (let from = 0; from < BYTES.length; from += 32) {
      const torn = Buffer.from(BYTES).fill(0, from, from + 32);
      expect(differsByOneBit(stored, checksumOver(ZERO, torn, littleEndian), BYTES.length)).toBe(false);
    }
    expect(differsByOneBit(stored, stored, BYTES.length)).toBe(false);
  });
});
