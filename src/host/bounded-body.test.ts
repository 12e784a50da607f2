import { describe, expect, it } from 'vitest';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { createAllowance, FREE_BYTES, gatherInto, readBody, refuseEncoded, refuseManyValues } from './bounded-body.ts';
import { transportFailure } from './deadline.ts';
import { createGathered } from './gather.ts';
import { createSemaphore, type Semaphore } from './semaphore.ts';

const MIB = 1024 * 1024;

async function* chunks(count: number, size: number): AsyncGenerator<Uint8Array> {
  for (let index = 0; index < count; index += 1) {
    await Promise.resolve();
    yield new Uint8Array(size).fill(index % 251);
  }
}

const stopClock = () => (): void => undefined;
const bounds = (most: number, large: Semaphore = createSemaphore(1)) => ({ most, large, stopClock });

describe('readBody', () => {
  it('gives the chunks as one block, however small they are', async () => {
    const bytes = await readBody(chunks(10_000, 1), bounds(MIB));
    expect(bytes).toEqual(Uint8Array.from({ length: 10_000 }, (_, index) => index % 251));
  });

  it('takes a body of exactly the bound, and no more', async () => {
    expect((await readBody(chunks(10, 10), bounds(100))).byteLength).toBe(100);
    await expect(readBody(chunks(11, 10), bounds(100))).rejects.toMatchObject({
      code: 'UND_ERR_RES_EXCEEDED_MAX_SIZE',
    });
    expect((await readBody(chunks(3, MIB), bounds(3 * MIB))).byteLength).toBe(3 * MIB);
    await expect(readBody(chunks(4, MIB), bounds(3 * MIB))).rejects.toThrow(/more than 3145728 bytes/);
  });

  it('reads a large body in one of the slots only, a small one without', async () => {
    let asked = 0;
    const large: Semaphore = (task) => {
      asked += 1;
      return task();
    };
    await readBody(chunks(2, 1000), bounds(8 * MIB, large));
    expect(asked).toBe(0);
    await readBody(chunks(3, MIB), bounds(8 * MIB, large));
    expect(asked).toBe(1);
  });
});

describe('a large body', () => {
  it('waits for its turn with its clock stopped', async () => {
    const seen: string[] = [];
    const large: Semaphore = (task) => {
      seen.push('asks');
      return task();
    };
    const clock = (): (() => void) => {
      seen.push('stops');
      return () => seen.push('goes on');
    };
    await readBody(chunks(3, MIB), { most: 8 * MIB, large, stopClock: clock });
    expect(seen).toEqual(['stops', 'asks', 'goes on']);
  });
});

describe('gatherInto', () => {
  it('stops where enough was read, with what came so far', async () => {
    const gathered = createGathered();
    let seen = 0;
    const take = (): 'more' | 'done' => ((seen += 1) === 3 ? 'done' : 'more');
    await gatherInto(gathered, chunks(10, 2), { bounds: bounds(MIB), take });
    expect([...gathered.bytes()]).toEqual([0, 0, 1, 1, 2, 2]);
  });
});

const list = (count: number): Uint8Array => Buffer.from(`[${'0,'.repeat(count - 1)}0]`);

describe('refuseManyValues', () => {
  it('refuses what would take far more memory than it has bytes, and nothing else', () => {
    expect(() => refuseManyValues(list(250_000))).toThrow(/more than 200000 values/);
    expect(() => refuseManyValues(list(150_000))).not.toThrow();
    expect(() => refuseManyValues(Buffer.from(JSON.stringify('0,'.repeat(250_000))))).not.toThrow();
  });
});

/** What becomes of an answer, or nothing where it can be read. */
function failureOf(encoding: string | undefined, bytes?: Uint8Array): unknown {
  try {
    refuseEncoded({ status: 200, headers: encoding === undefined ? {} : { 'content-encoding': encoding } }, bytes);
    return undefined;
  } catch (error) {
    return transportFailure(error);
  }
}

const PLAIN = Buffer.from('{}');

describe('an answer', () => {
  it.each(['gzip', 'x-gzip', 'deflate', 'br', 'zstd', 'GZip', 'identity, gzip', 'gzip, br'])(
    'that comes as %j is none that is read',
    (encoding) => {
      const message = `the answer 200 comes encoded as "${encoding}", which was not requested: send it plain under Accept-Encoding: identity`;
      for (const bytes of [undefined, gzipSync('{}'), PLAIN]) {
        expect(failureOf(encoding, bytes)).toEqual({ reason: 'encoded', message });
      }
      expect(failureOf(encoding, new Uint8Array())).toBeUndefined();
    },
  );

  it.each([undefined, '', ' ', 'identity', 'Identity', 'identity,', 'utf-8'])(
    'that names %j is read as it is',
    (encoding) => {
      expect([failureOf(encoding), failureOf(encoding, PLAIN)]).toEqual([undefined, undefined]);
    },
  );

  it('of an unknown coding is read where it is a text, and its name is shown in bounds', () => {
    const packed = brotliCompressSync('{"a":"b"}'.repeat(9));
    expect(failureOf('dcb"\u001b[2J', packed)).toMatchObject({
      message: expect.stringContaining(String.raw`encoded as "dcb\"\u001b[2J", which`) as string,
    });
    expect(failureOf('x'.repeat(41), packed)).toMatchObject({
      message: expect.stringContaining('encoded as something of a longer name, which') as string,
    });
  });
});

describe('createAllowance', () => {
  it('lets every answer have the most at first, and never refuses a short one', () => {
    const allowance = createAllowance(8 * MIB);
    expect(allowance.bound()).toBe(8 * MIB);
    for (let answer = 0; answer < 100_000; answer += 1) allowance.spend(FREE_BYTES);
    expect(allowance.bound()).toBe(8 * MIB);
  });

  it('falls with what is left, so that answers together stay below the total', () => {
    const allowance = createAllowance(8 * MIB, 64 * MIB);
    let received = 0;
    for (let answer = 0; answer < 1000; answer += 1) {
      const bytes = allowance.bound();
      received += bytes - FREE_BYTES;
      allowance.spend(bytes);
    }
    expect(received).toBeLessThanOrEqual(64 * MIB);
    expect(allowance.bound()).toBe(FREE_BYTES);
  });
});
