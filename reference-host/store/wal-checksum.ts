/** The running checksum of a write-ahead log: two unsigned 32-bit words. */
export interface Checksum {
  readonly first: number;
  readonly second: number;
}

/**
 * Carries a checksum on over bytes, a multiple of eight of them (the SQLite file format, "WAL checksum algorithm"). The
 * log's header tells whether their words count as little-endian.
 */
export function checksumOver(seed: Checksum, bytes: Buffer, littleEndian: boolean): Checksum {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  let first = seed.first | 0;
  let second = seed.second | 0;
  for (let at = 0; at < bytes.length; at += 8) {
    first = (first + view.getInt32(at, littleEndian) + second) | 0;
    second = (second + view.getInt32(at + 4, littleEndian) + first) | 0;
  }
  return { first: first >>> 0, second: second >>> 0 };
}

export function sameChecksum(a: Checksum, b: Checksum): boolean {
  return a.first === b.first && a.second === b.second;
}

/**
 * Whether one flipped bit, in `length` checked bytes or in the stored checksum itself, is all that lies between what was
 * stored and what was computed. The checksum is linear: a change of one word moves it by a fixed multiple of the change.
 */
export function differsByOneBit(stored: Checksum, computed: Checksum, length: number): boolean {
  const flips = ones(stored.first ^ computed.first) + ones(stored.second ^ computed.second);
  if (flips === 1) return true;
  const first = (stored.first - computed.first) | 0;
  const second = (stored.second - computed.second) | 0;
  let even = { first: 1, second: 1 };
  let odd = { first: 0, second: 1 };
  for (let pairs = length / 8; pairs > 0; pairs -= 1) {
    if (isBitOf(even, first, second) || isBitOf(odd, first, second)) return true;
    even = oneStepFurther(even);
    odd = oneStepFurther(odd);
  }
  return false;
}

function isBitOf(weight: Checksum, first: number, second: number): boolean {
  for (let bit = 0; bit < 32; bit += 1) {
    const one = Math.imul(weight.first, 1 << bit);
    const two = Math.imul(weight.second, 1 << bit);
    if ((one === first && two === second) || ((-one | 0) === first && (-two | 0) === second)) return true;
  }
  return false;
}

function oneStepFurther({ first, second }: Checksum): Checksum {
  return { first: (first + second) | 0, second: (first + second + second) | 0 };
}

function ones(word: number): number {
  let count = 0;
  for (let rest = word >>> 0; rest !== 0; rest = (rest & (rest - 1)) >>> 0) count += 1;
  return count;
}
