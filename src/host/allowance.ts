/** What a run may still receive. */
export interface Allowance {
  /** The most bytes that the next answer may have. */
  bound(): number;
  /** Takes an answer's bytes off; answers that are not large are free. */
  spend(bytes: number): void;
}

/** Answers up to this many bytes are never refused. */
export const FREE_BYTES = 16 * 1024;
/** What the answers of a whole run may have beyond that, together. */
const RUN_BYTES = 128 * 1024 * 1024;
/** So many answers of the largest size may be under way at once, and the allowance is kept. */
const SHARES = 8;

/**
 * Bounds the answers of one run: each may have `most` bytes, until the host has sent far more than an honest one does.
 * From then on the bound falls with what is left, down to what is never refused.
 */
export function createAllowance(most: number, total: number = RUN_BYTES): Allowance {
  let left = total;
  return {
    bound: () => Math.min(most, Math.max(FREE_BYTES, Math.floor(left / SHARES))),
    spend: (bytes) => {
      left -= Math.max(0, bytes - FREE_BYTES);
    },
  };
}
