import { brotliCompressSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { refuseEncoded } from './content-coding.ts';
import { transportFailure } from './transport.ts';

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
