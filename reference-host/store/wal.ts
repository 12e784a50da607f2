import { closeSync, fstatSync, openSync, readSync } from 'node:fs';

/** What a write-ahead log holds; offsets in bytes. `commits` are the whole transactions, `end` is where they end. */
export type WalReading =
  /** No log, or one whose first write was never finished. */
  | { readonly kind: 'empty'; readonly size: number }
  /** Whole transactions and nothing else. */
  | { readonly kind: 'whole'; readonly size: number; readonly commits: number; readonly end: number }
  /** Whole transactions, and behind them what is left of one that was never finished. */
  | { readonly kind: 'unfinished'; readonly size: number; readonly commits: number; readonly end: number }
  /** Something in front of finished transactions is not what was written: `at` is where, `what` says what. */
  | {
      readonly kind: 'damaged';
      readonly size: number;
      readonly commits: number;
      readonly end: number;
      readonly at: number;
      readonly what: string;
    };

const HEADER_BYTES = 32;
const FRAME_HEADER_BYTES = 24;
const VERSION = 3_007_000;
const CHUNK_FRAMES = 64;

interface Header {
  readonly littleEndian: boolean;
  readonly frameBytes: number;
  readonly salts: Buffer;
  readonly checksum: Checksum;
}

/**
 * Reads a log of SQLite without changing it, where SQLite itself would end at the first bad frame in silence and later
 * write over the rest. It relies on the store's way of writing: every transaction is synced before the next one begins,
 * so an unfinished one can only be the last, and aligned words of eight bytes reach the disk whole.
 */
export function readWal(path: string): WalReading {
  const descriptor = openSync(path, 'r');
  try {
    const { size } = fstatSync(descriptor);
    const bytes = Buffer.alloc(HEADER_BYTES);
    const length = readSync(descriptor, bytes, 0, HEADER_BYTES, 0);
    const header = length === HEADER_BYTES ? headerIn(bytes) : undefined;
    if (header !== undefined) return readFrames(header, size, framesOf(descriptor, header.frameBytes));
    // The header is synced before the first frame is written.
    return size <= HEADER_BYTES || isEmpty(descriptor, size)
      ? { kind: 'empty', size }
      : { kind: 'damaged', size, commits: 0, end: 0, at: 0, what: 'the header is not what was written' };
  } finally {
    closeSync(descriptor);
  }
}

function headerIn(bytes: Buffer): Header | undefined {
  const magic = bytes.readUInt32BE(0);
  const pageBytes = bytes.readUInt32BE(8);
  if (magic !== 0x37_7f_06_82 && magic !== 0x37_7f_06_83) return undefined;
  const littleEndian = magic === 0x37_7f_06_82;
  const checksum = storedChecksum(bytes, 24);
  const computed = checksumOver({ first: 0, second: 0 }, bytes.subarray(0, 24), littleEndian);
  if (bytes.readUInt32BE(4) !== VERSION || !sameChecksum(checksum, computed)) return undefined;
  return { littleEndian, frameBytes: FRAME_HEADER_BYTES + pageBytes, salts: bytes.subarray(16, 24), checksum };
}

function storedChecksum(bytes: Buffer, offset: number): Checksum {
  return { first: bytes.readUInt32BE(offset), second: bytes.readUInt32BE(offset + 4) };
}

/** Every slot of a frame, its last one perhaps in part; each buffer is valid until the next one is asked for. */
function* framesOf(descriptor: number, frameBytes: number): Generator<Buffer> {
  const chunk = Buffer.alloc(frameBytes * CHUNK_FRAMES);
  for (let position = HEADER_BYTES; ;) {
    const length = readSync(descriptor, chunk, 0, chunk.length, position);
    if (length === 0) return;
    for (let at = 0; at < length; at += frameBytes) yield chunk.subarray(at, Math.min(length, at + frameBytes));
    position += length;
  }
}

function isEmpty(descriptor: number, size: number): boolean {
  for (const bytes of framesOf(descriptor, Math.min(size, 4096))) if (!isZero(bytes)) return false;
  return true;
}

function isZero(bytes: Buffer): boolean {
  return bytes.equals(Buffer.alloc(bytes.length));
}

/** How a slot's salts compare with the log's: those of this log, another log's, or partly this one's. */
type Origin = 'ours' | 'none' | 'stale' | 'mixed';

function originOf(frame: Buffer, { salts }: Header): Origin {
  if (frame.length < 16) return 'none';
  const found = frame.subarray(8, 16);
  if (found.equals(salts)) return 'ours';
  if (isZero(found)) return 'none';
  const half = found.subarray(0, 4).equals(salts.subarray(0, 4)) || found.subarray(4).equals(salts.subarray(4));
  return half ? 'mixed' : 'stale';
}

function isCommit(frame: Buffer): boolean {
  return frame.readUInt32BE(4) !== 0;
}

function readFrames(header: Header, size: number, frames: Iterable<Buffer>): WalReading {
  const { frameBytes } = header;
  let offset = HEADER_BYTES;
  let checksum: Checksum | undefined = header.checksum;
  let commits = 0;
  let end = HEADER_BYTES;
  let at = 0;
  let unfinished = false;
  let lostCommit = false;
  const damaged = (what: string): WalReading => ({ kind: 'damaged', size, commits, end, at, what });
  for (const frame of frames) {
    const origin = originOf(frame, header);
    const next: Link | undefined = checksum === undefined ? undefined : checksumAfter(checksum, frame, header);
    if (next?.valid === true) {
      checksum = next.checksum;
      if (isCommit(frame)) {
        commits += 1;
        end = offset + frameBytes;
      }
      unfinished = !isCommit(frame);
    } else {
      if (checksum !== undefined || origin === 'mixed') at = offset;
      checksum = undefined;
      if (origin === 'mixed') return damaged('one frame is not what was written');
      if (origin === 'ours' && lostCommit)
        return damaged('a frame in front of finished writes is not what was written');
      if (origin === 'ours' && isCommit(frame)) lostCommit = true;
      if (origin === 'ours' || (origin === 'none' && !isZero(frame))) unfinished = true;
    }
    offset += frame.length;
  }
  return { kind: unfinished ? 'unfinished' : 'whole', size, commits, end };
}

interface Link {
  readonly checksum: Checksum;
  /** Whether the frame is the one that was written behind the frame before it. */
  readonly valid: boolean;
}

function checksumAfter(seed: Checksum, frame: Buffer, header: Header): Link | undefined {
  if (frame.length < header.frameBytes || originOf(frame, header) !== 'ours') return undefined;
  const { littleEndian } = header;
  const checksum = checksumOver(
    checksumOver(seed, frame.subarray(0, 8), littleEndian),
    frame.subarray(FRAME_HEADER_BYTES),
    littleEndian,
  );
  const valid = sameChecksum(storedChecksum(frame, 16), checksum) && frame.readUInt32BE(0) !== 0;
  return { checksum, valid };
}

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
