import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { createDigested } from './gather.ts';

describe('createDigested', () => {
  it('keeps the beginning of a body, and the length and digest of all of it', () => {
    const body = Buffer.from(Array.from({ length: 300_000 }, (_, index) => index % 251));
    const digested = createDigested();
    for (let at = 0; at < body.length; at += 7001) digested.add(body.subarray(at, at + 7001));
    expect(digested.length).toBe(body.length);
    expect(Buffer.from(digested.bytes()).equals(body.subarray(0, 128 * 1024))).toBe(true);
    expect(digested.sha256()).toBe(createHash('sha256').update(body).digest('hex'));
  });
});
