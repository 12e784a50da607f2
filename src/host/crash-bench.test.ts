import { describe, expect, it } from 'vitest';
import { answered, handleOf as handleAnswering } from '../../test/answers.ts';
import type { HostHandle } from './client.ts';
import { createCrashBench, createCrashPool, createLanePool } from './crash-bench.ts';
import type { CrashHost, Start } from './crash-host.ts';
import type { CrashLane, Cut } from './crash.ts';

function handleOf({ baseUrl }: CrashHost): HostHandle {
  return { ...handleAnswering(async () => answered(200)), baseUrl };
}

/** A host whose life is a flag; `starts` holds what each start was armed with. */
function fakeHost(baseUrl: string) {
  const starts: (Cut | undefined)[] = [];
  const state = { isUp: true };
  const host: CrashHost = {
    baseUrl,
    apiKey: undefined,
    variable: 'KEY',
    armsAtStart: true,
    leaseMs: 700,
    isUp: async () => state.isUp,
    start: async (failpoint): Promise<Start> => {
      starts.push(failpoint);
      state.isUp = true;
      return { ok: true, end: () => undefined };
    },
  };
  return { host, starts, state };
}

function benchOf(hosts: readonly CrashHost[], signal: AbortSignal = new AbortController().signal) {
  return createCrashBench({ pool: createCrashPool(hosts), cuts: 'quick', handle: handleOf, signal });
}

describe('use', () => {
  it('lends a lane with its host up, and takes it back when the work fails', async () => {
    const { host, starts, state } = fakeHost('http://a');
    const bench = benchOf([host]);
    expect(bench).toMatchObject({ width: 1, cuts: 'quick' });
    const failing = bench.use(async (lane) => {
      expect(lane).toMatchObject({ armsAtStart: true, leaseMs: 700, host: { baseUrl: 'http://a' } });
      state.isUp = false;
      throw new Error('the work failed');
    });
    await expect(failing).rejects.toThrow('the work failed');
    expect(starts).toEqual([]);
    expect(await bench.use(async () => state.isUp)).toBe(true);
    expect(starts).toEqual([undefined]);
  });

  it('starts the host again with what is to be armed', async () => {
    const { host, starts } = fakeHost('http://a');
    const cut: Cut = { name: 'before-execute', hit: 2 };
    const revival = await benchOf([host]).use((lane) => lane.revive(cut));
    expect(revival).toMatchObject({ ok: true, answered: true });
    expect(starts).toEqual([cut]);
  });

  it('lends nothing where the scenario was stopped', async () => {
    const stop = new AbortController();
    stop.abort();
    expect(await benchOf([fakeHost('http://a').host], stop.signal).use(async () => 1)).toBeUndefined();
  });
});

describe('each', () => {
  it('has every lane at work, one job each at a time', async () => {
    const busy = new Set<string>();
    let most = 0;
    const done: number[] = [];
    const work = async ({ host }: CrashLane, job: number): Promise<void> => {
      expect(busy.has(host.baseUrl)).toBe(false);
      busy.add(host.baseUrl);
      most = Math.max(most, busy.size);
      await new Promise((resolve) => setImmediate(resolve));
      done.push(job);
      busy.delete(host.baseUrl);
    };
    await benchOf([fakeHost('http://a').host, fakeHost('http://b').host]).each([1, 2, 3, 4, 5], work);
    expect(done.toSorted((a, b) => a - b)).toEqual([1, 2, 3, 4, 5]);
    expect(most).toBe(2);
  });

  it('starts no further job after one failed, and says why when the others have ended', async () => {
    const done: number[] = [];
    const bench = benchOf([fakeHost('http://a').host, fakeHost('http://b').host]);
    const all = bench.each([1, 2, 3, 4], async (_, job) => {
      if (job === 1) throw new Error('job 1');
      await new Promise((resolve) => setImmediate(resolve));
      done.push(job);
    });
    await expect(all).rejects.toThrow('job 1');
    expect(done).toEqual([2]);
  });

  it('stops where the scenario is stopped', async () => {
    const stop = new AbortController();
    const done: number[] = [];
    await benchOf([fakeHost('http://a').host], stop.signal).each([1, 2, 3], async (_, job) => {
      done.push(job);
      if (job === 2) stop.abort();
    });
    expect(done).toEqual([1, 2]);
    await benchOf([]).each([], async () => {});
  });
});

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
