import type { HostHandle } from './client.ts';
import type { CrashHost } from './crash-host.ts';
import type { CrashBench, CrashLane, CutSet } from './crash.ts';
import { createReviver, type Reviver } from './revive.ts';

/** A host and what brings it back. */
export interface Revivable {
  readonly host: CrashHost;
  readonly reviver: Reviver;
}

/** The hosts of a run that may be killed; scenarios share them. */
export function createCrashPool(hosts: readonly CrashHost[]): LanePool<Revivable> {
  return createLanePool(hosts.map((host) => ({ host, reviver: createReviver(host) })));
}

/** What a bench belongs to: one scenario of a run. */
export interface BenchSetup {
  readonly pool: LanePool<Revivable>;
  readonly cuts: CutSet;
  readonly handle: (host: CrashHost) => HostHandle;
  readonly signal: AbortSignal;
}

/** Makes a scenario's bench over the hosts that it shares with others. */
export function createCrashBench(setup: BenchSetup): CrashBench {
  const { pool, cuts, signal } = setup;
  const use: CrashBench['use'] = async (work) => {
    const taken = await pool.take(signal);
    if (taken === undefined) return undefined;
    try {
      return await work(await readyLane(taken, setup));
    } finally {
      pool.give(taken);
    }
  };
  return { width: pool.size, cuts, use, each: (jobs, work) => eachJob({ width: pool.size, use, signal }, jobs, work) };
}

/** A lane with its host up: whoever had it before may have left it dead. What cannot be started shows when it is used. */
async function readyLane({ host, reviver }: Revivable, { handle, signal }: BenchSetup): Promise<CrashLane> {
  const own = handle(host);
  const lane: CrashLane = {
    host: own,
    armsAtStart: host.armsAtStart,
    leaseMs: host.leaseMs,
    revive: (failpoint) => reviver.revive(own, failpoint, signal),
  };
  if (!(await host.isUp(own))) await lane.revive();
  return lane;
}

async function eachJob<J>(
  { width, use, signal }: Pick<CrashBench, 'width' | 'use'> & { readonly signal: AbortSignal },
  jobs: readonly J[],
  work: (lane: CrashLane, job: J) => Promise<void>,
): Promise<void> {
  const waiting = jobs.values();
  const failures: unknown[] = [];
  const worker = async (): Promise<void> => {
    for (const job of waiting) {
      if (signal.aborted || failures.length > 0) return;
      try {
        await use((lane) => work(lane, job));
      } catch (error) {
        failures.push(error);
      }
    }
  };
  await Promise.all(Array.from({ length: width }, worker));
  if (failures.length > 0) throw failures[0];
}

/** Things that are lent to one borrower at a time, in the order in which they are asked for. */
export interface LanePool<T> {
  readonly size: number;
  /** Resolves with a free one; undefined when the signal aborts first. */
  take(signal: AbortSignal): Promise<T | undefined>;
  give(lane: T): void;
}

export function createLanePool<T>(lanes: readonly T[]): LanePool<T> {
  const free = [...lanes];
  const waiting: ((lane: T) => void)[] = [];
  return {
    size: lanes.length,
    take: (signal) =>
      new Promise((resolve) => {
        if (signal.aborted) return resolve(undefined);
        const lane = free.shift();
        if (lane !== undefined) return resolve(lane);
        const leave = (): void => {
          waiting.splice(waiting.indexOf(lend), 1);
          resolve(undefined);
        };
        const lend = (given: T): void => {
          signal.removeEventListener('abort', leave);
          resolve(given);
        };
        waiting.push(lend);
        signal.addEventListener('abort', leave, { once: true });
      }),
    give: (lane) => {
      const next = waiting.shift();
      if (next === undefined) free.push(lane);
      else next(lane);
    },
  };
}
