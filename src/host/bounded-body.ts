import { isUtf8 } from 'node:buffer';
import { collectLargeGarbage } from '../evidence/garbage.ts';
import { excessOf, MAX_JSON_NAMES } from '../evidence/json-depth.ts';
import type { StopClock } from './deadline.ts';
import { createGathered, type Gathered } from './gather.ts';
import type { Semaphore } from './semaphore.ts';

/** Codings that pack a body (RFC 9110 §8.4.1, with Brotli and Zstandard). Other names leave a text as it is, such as `utf-8`. */
const PACKINGS: ReadonlySet<string> = new Set(['gzip', 'x-gzip', 'deflate', 'br', 'zstd', 'compress', 'x-compress']);

/** Thrown where an answer comes encoded: every request wants `identity`. */
class AnswerEncoded extends Error {
  override readonly name = 'AnswerEncoded';
  readonly code = 'ERR_ANSWER_ENCODED';
}

/** Characters of an encoding's name that are shown: a longer one is not cut, as a part of a credential may stand in it. */
const LONGEST_NAME = 40;

/** Throws AnswerEncoded where an answer's body cannot be read for its Content-Encoding, by its bytes where they are there. */
export function refuseEncoded(
  { status, headers }: { readonly status: number; readonly headers: Readonly<Record<string, string>> },
  bytes?: Uint8Array,
): void {
  const named = (headers['content-encoding'] ?? '').trim();
  const codings = named
    .toLowerCase()
    .split(',')
    .map((coding) => coding.trim());
  const isPlain = codings.every((coding) => coding === '' || coding === 'identity');
  if (isPlain || bytes?.byteLength === 0) return;
  if (!codings.some((coding) => PACKINGS.has(coding)) && (bytes === undefined || isUtf8(bytes))) return;
  const name = named.length > LONGEST_NAME ? 'something of a longer name' : JSON.stringify(named);
  throw new AnswerEncoded(
    `the answer ${status} comes encoded as ${name}, which was not requested: send it plain under Accept-Encoding: identity`,
  );
}

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

/** Thrown where a body is longer than it may be; the code is that of undici's own bound. */
class BodyTooLarge extends Error {
  override readonly name = 'BodyTooLarge';
  readonly code = 'UND_ERR_RES_EXCEEDED_MAX_SIZE';
}

/** A body beyond this is read on only when no other large one is: what is made of it takes many times its bytes. */
const LARGE_BYTES = 1024 * 1024;

/** An answer other than a log may hold so many values: answers are kept while their scenario is driven. */
const MOST_VALUES = 200_000;
/** No shorter text holds so many values, or so many names in an object. */
const MAY_HOLD_MANY = 64 * 1024;

/** Throws BodyTooLarge where a body that is no log holds more JSON values than it may. */
export function refuseManyValues(bytes: Uint8Array): void {
  if (bytes.byteLength < MAY_HOLD_MANY) return;
  const marks = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
  if (excessOf(marks, MOST_VALUES) === 'too-many') {
    throw new BodyTooLarge(
      `the body holds more than ${MOST_VALUES} values, or an object of more than ${MAX_JSON_NAMES} names`,
    );
  }
}

/** What bounds one body. */
export interface BodyBounds {
  readonly most: number;
  /** Lends the slot for large bodies. */
  readonly large: Semaphore;
  /** Stops the time-out while the slot is waited for. */
  readonly stopClock: StopClock;
}

/** What is done with each chunk; `done` says that enough was read. */
type Take = (chunk: Uint8Array) => 'more' | 'done';

/** Reads a body to its end, or until `take` has enough. Throws BodyTooLarge as soon as it has more bytes than it may. */
export async function readBody(
  body: AsyncIterable<Uint8Array>,
  bounds: BodyBounds,
  take: Take = () => 'more',
): Promise<Uint8Array> {
  const gathered = createGathered();
  await gatherInto(gathered, body, { bounds, take });
  return gathered.bytes();
}

/** The same into a block of the caller's, who has what came when the connection breaks. */
export async function gatherInto(
  gathered: Gathered,
  body: AsyncIterable<Uint8Array>,
  { bounds: { most, large, stopClock }, take }: { readonly bounds: BodyBounds; readonly take: Take },
): Promise<void> {
  const chunks = body[Symbol.asyncIterator]();
  const readUpTo = async (bytes: number): Promise<'ended' | 'left'> => {
    while (gathered.length <= bytes) {
      const { done, value } = await chunks.next();
      if (done === true) return 'ended';
      gathered.add(value);
      if (take(value) === 'done') return 'ended';
    }
    return 'left';
  };
  const readLarge = async (): Promise<'ended' | 'left'> => {
    const goOn = stopClock();
    return large(() => {
      goOn();
      collectLargeGarbage();
      return readUpTo(most);
    });
  };
  const isLeft = (await readUpTo(Math.min(LARGE_BYTES, most))) === 'left' && (await readLarge()) === 'left';
  if (isLeft) throw new BodyTooLarge(`the body has more than ${most} bytes`);
}
