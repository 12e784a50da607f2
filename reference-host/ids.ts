import { randomBytes } from 'node:crypto';

const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/**
 * A fresh id such as `run_01J…`: the prefix, 48 bits of clock (milliseconds since 1970; the host's own clock is the
 * store's `now`) and 80 random bits in Crockford's base 32.
 */
export function newId(prefix: 'run' | 'evt' | 'mem' | 'int' | 'ann', now = Date.now()): string {
  let clock = now;
  let time = '';
  for (let index = 0; index < 10; index += 1) {
    time = ALPHABET.charAt(clock % 32) + time;
    clock = Math.floor(clock / 32);
  }
  let entropy = '';
  for (const byte of drawn(16)) entropy += ALPHABET.charAt(byte % 32);
  return `${prefix}_${time}${entropy}`;
}

let left = new Uint8Array();

/** Random bytes, taken from many that were drawn at once: each drawing costs as much as a small one. */
function drawn(count: number): Uint8Array {
  if (left.length < count) left = randomBytes(4_096);
  const taken = left.subarray(0, count);
  left = left.subarray(count);
  return taken;
}

const RUN_ID = /^run_[0-9A-HJKMNP-TV-Z]{26}$/;

/** Whether a text can be a run id of this host. Keeps NUL and other odd input away from the store. */
export function isRunId(text: string): boolean {
  return RUN_ID.test(text);
}
