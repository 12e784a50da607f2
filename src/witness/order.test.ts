import { describe, expect, it } from 'vitest';
import { createOrder } from './order.ts';

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
