import { createHash } from 'node:crypto';

/** A body that grows as its chunks come. */
export interface Gathered {
  add(chunk: Uint8Array): void;
  /** Bytes that came so far. */
  readonly length: number;
  /** What is kept of them. */
  bytes(): Uint8Array;
}

/** A body of which only the beginning is kept, and what it was as a whole. */
export interface Digested extends Gathered {
  /** SHA-256 of all bytes, in hexadecimal. To be asked for once. */
  sha256(): string;
}

const FIRST_BLOCK = 4096;

/** Gathers a body in one block: a host that sends it byte by byte makes it no larger, as a list of chunks would be. */
export function createGathered(): Gathered {
  let block = new Uint8Array(FIRST_BLOCK);
  let length = 0;
  return {
    add: (chunk) => {
      const needed = length + chunk.byteLength;
      if (needed > block.byteLength) {
        const larger = new Uint8Array(Math.max(needed, 2 * block.byteLength));
        larger.set(block.subarray(0, length));
        block = larger;
      }
      block.set(chunk, length);
      length = needed;
    },
    get length() {
      return length;
    },
    bytes: () => block.subarray(0, length),
  };
}

/** More than evidence keeps of a body, whatever its characters take. */
const HEAD_BYTES = 128 * 1024;

/** Digests a body that is read as it comes, such as a stream: only its beginning is kept. */
export function createDigested(): Digested {
  const head = createGathered();
  const hash = createHash('sha256');
  let length = 0;
  return {
    add: (chunk) => {
      hash.update(chunk);
      length += chunk.byteLength;
      const room = HEAD_BYTES - head.length;
      if (room > 0) head.add(chunk.subarray(0, room));
    },
    get length() {
      return length;
    },
    bytes: () => head.bytes(),
    sha256: () => hash.digest('hex'),
  };
}
