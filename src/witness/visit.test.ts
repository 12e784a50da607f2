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

  it('answers chats as staged, and nothing where nothing is', () => {
    const visit = createVisit('http://w/w/t');
    expect(visit.nextChat()).toBeUndefined();
    visit.stageChat([
      { kind: 'valid', content: 'a' },
      { kind: 'valid', content: 'b' },
    ]);
    expect([1, 2, 3].map(() => visit.nextChat())).toMatchObject([{ content: 'a' }, { content: 'b' }, { content: 'b' }]);
    visit.stageChat([]);
    expect(visit.nextChat()).toBeUndefined();
  });
});

describe('freshToken', () => {
  it('is never the same', () => {
    expect(new Set(Array.from({ length: 1000 }, freshToken)).size).toBe(1000);
    expect(freshToken()).toMatch(/^[\da-f]{32}$/u);
  });
});

describe('an order', () => {
  it('lets a call go whose caller went away, and those behind it once all before them were answered', async () => {
    const order = createOrder(['first', 'second', 'third'], 60_000);
    const gone = new AbortController();
    const went: string[] = [];
    const turn = (name: string, signal: AbortSignal): Promise<void> =>
      order.turn(name, signal).then(() => void went.push(name));
    const second = turn('second', gone.signal);
    const third = turn('third', new AbortController().signal);
    gone.abort();
    await second;
    expect(went).toEqual(['second']);
    order.answered('second');
    order.answered('first');
    await third;
    expect(went).toEqual(['second', 'third']);
  });

  it('holds nobody back whose caller had gone before', async () => {
    await expect(createOrder(['first', 'second'], 60_000).turn('second', AbortSignal.abort())).resolves.toBeUndefined();
  });
});
