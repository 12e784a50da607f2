/** A body that grows as its chunks come. */
export interface Gathered {
  add(chunk: Uint8Array): void;
  readonly length: number;
  /** What came so far. */
  bytes(): Uint8Array;
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
