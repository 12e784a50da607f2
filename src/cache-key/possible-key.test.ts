import { createHash, getHashes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { isPossibleKey } from './rules/encodings.ts';

const digest = createHash('sha256').update('text').digest();
const hex = digest.toString('hex');

describe('isPossibleKey', () => {
  it.each([
    hex,
    hex.toUpperCase(),
    digest.toString('base64'),
    digest.toString('base64url'),
    Buffer.from(hex).toString('base64'),
    Buffer.from(createHash('sha512').update('text').digest('hex')).toString('base64'),
    hex.slice(0, 8),
    hex.slice(-16),
    `sha256:${hex}`,
    `llm cache key = ${digest.toString('base64')}`,
    `${hex}\n`,
    `${digest.toString('base64')}\r\n`,
  ])('takes %j for one', (key) => {
    expect(isPossibleKey(key)).toBe(true);
  });

  it('takes the digests of every hash of fixed length that there is', () => {
    const hashes = getHashes().filter((name) => !/shake|rsa|ssl/iu.test(name));
    expect(hashes.length).toBeGreaterThan(5);
    for (const name of hashes) {
      const other = createHash(name).update('text').digest();
      expect([name, isPossibleKey(other.toString('hex')), isPossibleKey(other.toString('base64'))]).toEqual([
        name,
        true,
        true,
      ]);
    }
  });

  it.each(['', 'xyz', hex.slice(0, 7), 'the key', 'undefined!', `${hex} `, 'é'.repeat(64), 'a'.repeat(257)])(
    'refuses %j',
    (key) => {
      expect(isPossibleKey(key)).toBe(false);
    },
  );
});
