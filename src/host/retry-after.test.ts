import { describe, expect, it } from 'vitest';
import { createPatience, type Patience, retryAfterMs } from './retry-after.ts';

const NOW = Date.parse('2026-01-01T00:00:00Z');

describe('retryAfterMs', () => {
  it.each([
    [429, '3', 3000],
    [503, ' 0 ', 0],
    [503, 'Thu, 01 Jan 2026 00:00:05 GMT', 5000],
    [429, 'Wed, 31 Dec 2025 00:00:00 GMT', 0],
    [429, '999999999', 999_999_999_000],
  ])('reads %i with %j as %i ms', (status, value, expected) => {
    expect(retryAfterMs(status, { 'retry-after': value }, NOW)).toBe(expected);
  });

  it.each([
    [200, '3'],
    [500, '3'],
    [429, ''],
    [429, 'soon'],
    [429, '1e999999'],
    [429, '99999999999999999999'],
  ])('reads %i with %j as no wait', (status, value) => {
    expect(retryAfterMs(status, { 'retry-after': value }, NOW)).toBeUndefined();
  });

  it('reads an absent header as no wait', () => {
    expect(retryAfterMs(429, {}, NOW)).toBeUndefined();
  });
});

const pauses = (patience: Patience): readonly (number | undefined)[] =>
  [1, 2, 3, 4, 5, 6, 7].map((tries) => patience.pauseMs({ status: 429 }, tries));

describe('a 429 that does not say when', () => {
  it('is waited for a few times, longer each time', () => {
    expect(pauses(createPatience())).toEqual([100, 200, 300, 400, 500, 600, undefined]);
  });

  it('is not waited for any more where that was in vain', () => {
    const patience = createPatience();
    for (let request = 0; request < 3; request += 1) pauses(patience);
    expect(patience.pauseMs({ status: 429 }, 1)).toBeUndefined();
  });

  it.each([200, 404, 500, 503])('is no %i', (status) => {
    expect(createPatience().pauseMs({ status, isReading: status !== 503 }, 1)).toBeUndefined();
  });
});

describe("a gateway's answer", () => {
  it.each([502, 503, 504])('of %i puts a reading off, and nothing else', (status) => {
    expect(createPatience().pauseMs({ status, isReading: true }, 1)).toBe(100);
    expect(createPatience().pauseMs({ status }, 1)).toBeUndefined();
  });
});

describe('an answer that says when', () => {
  it.each([429, 503])(
    'is waited for where it is %i, until that was in vain three times and nothing was taken',
    (status) => {
      const patience = createPatience();
      const waits = (): number | undefined => patience.pauseMs({ status, requestedMs: 2000 }, 1);
      patience.putOff();
      patience.putOff();
      expect(waits()).toBe(2000);
      patience.putOff();
      expect(waits()).toBeUndefined();
      patience.taken();
      expect(waits()).toBe(2000);
    },
  );
});
