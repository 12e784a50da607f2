import { afterAll, describe, expect, it } from 'vitest';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checksumOver, type Checksum, readWal, sameChecksum } from './wal.ts';

const PAGE = 512;
const FRAME = PAGE + 24;
const folder = mkdtempSync(join(tmpdir(), 'wal-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** A frame to write: the page number, whether it ends a transaction, and whether it is of an earlier log. */
type Frame = 'page' | 'commit' | 'stale';

/** A log as SQLite writes it; big-endian words, as on few machines. */
function logOf(frames: readonly Frame[]): Buffer {
  const header = Buffer.alloc(32);
  for (const [index, word] of [0x37_7f_06_83, 3_007_000, PAGE, 1, 0xab_cd, 0x12_34].entries()) {
    header.writeUInt32BE(word, index * 4);
  }
  let checksum = signed(header, 24, checksumOver({ first: 0, second: 0 }, header.subarray(0, 24), false));
  const parts = frames.map((kind, index) => {
    const frame = Buffer.alloc(FRAME, index + 1);
    frame.writeUInt32BE(index + 1, 0);
    frame.writeUInt32BE(kind === 'page' ? 0 : 9, 4);
    frame.writeUInt32BE(kind === 'stale' ? 0xab_cc : 0xab_cd, 8);
    frame.writeUInt32BE(kind === 'stale' ? 0x99_99 : 0x12_34, 12);
    checksum = checksumOver(checksumOver(checksum, frame.subarray(0, 8), false), frame.subarray(24), false);
    signed(frame, 16, checksum);
    return frame;
  });
  return Buffer.concat([header, ...parts]);
}

function signed(bytes: Buffer, offset: number, checksum: Checksum): Checksum {
  bytes.writeUInt32BE(checksum.first, offset);
  bytes.writeUInt32BE(checksum.second, offset + 4);
  return checksum;
}

function read(bytes: Buffer) {
  const path = join(folder, 'log');
  writeFileSync(path, bytes);
  return readWal(path);
}

const end = (frames: number): number => 32 + frames * FRAME;

describe('readWal', () => {
  it.each([
    ['nothing', Buffer.alloc(0)],
    ['part of a header', logOf([]).subarray(0, 20)],
    ['a header that was never finished', Buffer.alloc(32, 7)],
    ['zeros only', Buffer.alloc(9000)],
  ])('is empty for %s', (_, bytes) => {
    expect(read(bytes)).toEqual({ kind: 'empty', size: bytes.length });
  });

  it.each([
    ['whole', ['page', 'commit', 'commit'], 2, 3],
    ['whole', ['commit', 'stale', 'stale'], 1, 1],
    ['whole', [], 0, 0],
    ['unfinished', ['commit', 'page', 'page'], 1, 1],
    ['unfinished', ['page'], 0, 0],
  ] as const)('is %s for %j', (kind, frames, commits, last) => {
    expect(read(logOf(frames))).toMatchObject({ kind, commits, end: end(last) });
    expect(read(Buffer.concat([logOf(frames), Buffer.alloc(5000)]))).toMatchObject({ kind, commits, end: end(last) });
  });

  it('is unfinished while the sectors of one transaction are missing, whichever they are', () => {
    const bytes = logOf(['commit', 'page', 'page', 'commit']);
    for (let sector = end(1); sector + 104 <= bytes.length; sector += 104) {
      const torn = Buffer.from(bytes).fill(0, sector, sector + 104);
      expect(read(torn)).toMatchObject({ kind: 'unfinished', commits: 1, end: end(1) });
    }
    expect(read(bytes.subarray(0, bytes.length - 300))).toMatchObject({ kind: 'unfinished', commits: 1 });
  });

  it('is damaged where another transaction follows one that is not right', () => {
    const bytes = logOf(['commit', 'commit', 'commit', 'commit']);
    for (const frame of [0, 1]) {
      const torn = Buffer.from(bytes).fill(0, end(frame), end(frame) + 300);
      expect(read(torn)).toMatchObject({ kind: 'damaged', commits: frame, end: end(frame), at: end(frame) });
    }
  });

  it('is damaged where the header is not right and frames follow', () => {
    expect(read(logOf(['commit']).fill(0, 0, 8))).toMatchObject({ kind: 'damaged', at: 0, commits: 0 });
  });

  it('takes a last transaction that is not right for one that was never finished, be it for a single bit', () => {
    const bytes = logOf(['commit', 'commit']);
    expect(read(Buffer.from(bytes).fill(0, end(1) + 100, end(1) + 200))).toMatchObject({ kind: 'unfinished' });
    const flipped = Buffer.from(bytes);
    flipped.writeUInt8(flipped.readUInt8(end(1) + 100) ^ 4, end(1) + 100);
    expect(read(flipped)).toMatchObject({ kind: 'unfinished', commits: 1 });
  });
});

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
