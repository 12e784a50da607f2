import { collectLargeGarbage } from '../evidence/garbage.ts';
import { excessOf, MAX_JSON_NAMES } from '../evidence/json-depth.ts';
import { createGathered, type Gathered } from './gather.ts';
import type { StopClock } from './deadline.ts';
import type { Semaphore } from './semaphore.ts';

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
