import { describe, expect, it } from 'vitest';
import { schedule, type Job } from './schedule.ts';

interface Observed {
  readonly started: readonly string[];
  readonly peak: number;
  /** Pairs of jobs that were under way together. */
  readonly together: ReadonlySet<string>;
}

async function observe(
  jobs: readonly (readonly [name: string, exclusive?: string])[],
  limit: number,
): Promise<Observed> {
  const started: string[] = [];
  const together = new Set<string>();
  const under = new Set<string>();
  let peak = 0;
  const make = ([name, exclusive]: readonly [string, string?]): Job => ({
    exclusive: exclusive === undefined ? [] : exclusive.split(' '),
    run: async () => {
      started.push(name);
      for (const other of under) together.add(`${other}+${name}`);
      under.add(name);
      peak = Math.max(peak, under.size);
      await new Promise((resolve) => setImmediate(resolve));
      under.delete(name);
    },
  });
  await schedule(jobs.map(make), limit);
  return { started, peak, together };
}

async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}

function fail(after: number): Job {
  const run = async (): Promise<void> => {
    await turns(after);
    throw new Error(`after ${after}`);
  };
  return { exclusive: [], run };
}

describe('schedule', () => {
  it('runs nothing', async () => {
    expect((await observe([], 4)).started).toEqual([]);
  });

  it('keeps the order and the bound', async () => {
    const names = Array.from({ length: 12 }, (_, index) => [`j${index}`] as const);
    const { started, peak } = await observe(names, 3);
    expect(started).toEqual(names.map(([name]) => name));
    expect(peak).toBe(3);
  });

  it('never overlaps two jobs that share a resource, and lets others pass meanwhile', async () => {
    const { started, together } = await observe(
      [['a', 'seam'], ['b', 'seam node'], ['c', 'node'], ['d'], ['e', 'seam']],
      4,
    );
    for (const pair of ['a+b', 'b+c', 'a+e', 'b+e', 'e+b', 'c+b']) expect([...together]).not.toContain(pair);
    expect(together.has('a+c')).toBe(true);
    expect(together.has('a+d')).toBe(true);
    expect(started.toSorted()).toEqual(['a', 'b', 'c', 'd', 'e']);
    expect(started.indexOf('a')).toBeLessThan(started.indexOf('b'));
  });

  it('frees a resource when its job has failed, and passes the failure on', async () => {
    const failing: Job = { exclusive: ['r'], run: () => Promise.reject(new Error('ours')) };
    await expect(schedule([failing], 2)).rejects.toThrow('ours');
  });

  it('leaves no rejection unheard when several jobs fail at once', async () => {
    const unheard: unknown[] = [];
    const listen = (reason: unknown): void => void unheard.push(reason);
    process.on('unhandledRejection', listen);
    await expect(schedule([fail(0), fail(1), fail(3)], 3)).rejects.toThrow('after 0');
    await turns(6);
    process.off('unhandledRejection', listen);
    expect(unheard).toEqual([]);
  });
});
