import { describe, expect, it } from 'vitest';
import { type Arrival, createOrder, createVisit, freshToken, KEPT_BYTES, KEPT_CALLS } from './visit.ts';

const arrival: Arrival = { kind: 'effect', name: 'e', method: 'POST', idempotencyKey: null };

describe('a visit', () => {
  it('keeps so many calls, and counts the others', () => {
    const visit = createVisit('http://w/w/t');
    for (let count = 1; count <= KEPT_CALLS; count += 1) expect(visit.arrive(arrival).count).toBe(count);
    const beyond = visit.arrive({ ...arrival, idempotencyKey: 'k' });
    beyond.received(1, 1);
    beyond.answer('answer');
    expect(beyond.count).toBe(KEPT_CALLS + 1);
    expect(visit.calls()).toHaveLength(KEPT_CALLS);
    expect(visit.calls().at(-1)).toMatchObject({ body: null, answer: null });
  });

  it('keeps no more bytes than it may, whatever they are of', () => {
    const visit = createVisit('http://w/w/t');
    visit.arrive(arrival).received('large', KEPT_BYTES - 3);
    visit.arrive({ ...arrival, idempotencyKey: 'abc' });
    visit.arrive({ ...arrival, idempotencyKey: 'd' });
    expect(visit.calls()).toMatchObject([{ body: 'large' }, { idempotencyKey: 'abc' }, { idempotencyKey: null }]);
  });

  it('counts kinds and names apart', () => {
    const visit = createVisit('http://w/w/t');
    const counts = [arrival, { ...arrival, name: 'f' }, { ...arrival, kind: 'resource' as const }, arrival].map(
      (each) => visit.arrive(each).count,
    );
    expect(counts).toEqual([1, 1, 1, 2]);
  });

  it('shows its calls as they are at that time', () => {
    const visit = createVisit('http://w/w/t');
    const call = visit.arrive(arrival);
    const before = visit.calls();
    call.received({ a: 1 }, 7);
    call.rename('other');
    call.answer({ nonce: 'n' });
    expect(before).toEqual([{ ...arrival, body: null, answer: null }]);
    expect(visit.calls()).toEqual([{ ...arrival, name: 'other', body: { a: 1 }, answer: { nonce: 'n' } }]);
  });
});

describe('freshToken', () => {
  it('is never the same', () => {
    expect(new Set(Array.from({ length: 1000 }, freshToken)).size).toBe(1000);
    expect(freshToken()).toMatch(/^[\da-f]{32}$/u);
  });
});

describe('an order', () => {
  it('holds nobody back whose caller had gone before', async () => {
    await expect(createOrder(['first', 'second'], 60_000).turn('second', AbortSignal.abort())).resolves.toBeUndefined();
  });
});
