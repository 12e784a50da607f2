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
