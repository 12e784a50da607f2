import { describe, expect, it } from 'vitest';
import { createSemaphore } from './semaphore.ts';

describe('createSemaphore', () => {
  it.each([
    [1, 1],
    [3, 3],
    [0, 1],
  ])('with a limit of %i has at most %i under way, in the order of asking', async (limit, most) => {
    const slot = createSemaphore(limit);
    const order: number[] = [];
    let now = 0;
    let peak = 0;
    const task = (id: number) => async (): Promise<number> => {
      order.push(id);
      now += 1;
      peak = Math.max(peak, now);
      await new Promise((resolve) => setImmediate(resolve));
      now -= 1;
      return id;
    };
    const ids = Array.from({ length: 10 }, (_, id) => id);
    expect(await Promise.all(ids.map((id) => slot(task(id))))).toEqual(ids);
    expect(order).toEqual(ids);
    expect(peak).toBe(most);
  });

  it('frees the slot of a task that throws', async () => {
    const slot = createSemaphore(1);
    await expect(slot(() => Promise.reject(new Error('x')))).rejects.toThrow('x');
    expect(await slot(async () => 'next')).toBe('next');
  });
});
