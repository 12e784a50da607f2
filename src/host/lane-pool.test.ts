import { describe, expect, it } from 'vitest';
import { createLanePool } from './lane-pool.ts';

const never = new AbortController().signal;

describe('a pool of lanes', () => {
  it('lends each to one borrower at a time, in the order in which they ask', async () => {
    const pool = createLanePool(['a', 'b']);
    expect(pool.size).toBe(2);
    expect([await pool.take(never), await pool.take(never)]).toEqual(['a', 'b']);
    const waiting = [pool.take(never), pool.take(never)];
    pool.give('b');
    pool.give('a');
    expect(await Promise.all(waiting)).toEqual(['b', 'a']);
  });

  it('gives nothing to one that was stopped, and its turn to the next', async () => {
    const pool = createLanePool(['a']);
    const stop = new AbortController();
    await pool.take(never);
    const [stopped, next] = [pool.take(stop.signal), pool.take(never)];
    stop.abort();
    expect(await stopped).toBeUndefined();
    pool.give('a');
    expect(await next).toBe('a');
    pool.give('a');
    expect(await pool.take(stop.signal)).toBeUndefined();
    expect(await pool.take(never)).toBe('a');
  });

  it('without a lane lends none until the borrower is stopped', async () => {
    const stop = new AbortController();
    const asked = createLanePool([]).take(stop.signal);
    stop.abort();
    expect(await asked).toBeUndefined();
  });
});
