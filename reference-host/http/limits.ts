import type { Store } from '../store/store.ts';
import { type Answer, refusal } from '../types/answers.ts';

/** How much of the host one tenant may use. */
export interface TenantLimits {
  /** Runs that are kept, forks and children included. None is ever thrown away to make room. */
  readonly runs: number;
  /** Event streams and waiting polls that are open at once. */
  readonly streams: number;
  /** Workflows of its own, where the host takes them. */
  readonly workflows: number;
}

/** Far more than the conformance suites need, and little enough for one process. */
export const TENANT_LIMITS: TenantLimits = { runs: 100_000, streams: 1_000, workflows: 200 };

/** 429 for a tenant that has used up what it may; `seconds` say when it is worth asking again. */
export function tooMany(error: string, message: string, seconds: number): Answer {
  return { ...refusal(429, error, message), headers: { 'retry-after': String(seconds) } };
}

/** Counts what is open for each tenant. */
export interface Quota {
  /** Takes one place and returns the function that gives it back, once; undefined where the tenant has no place left. */
  take(tenant: string): (() => void) | undefined;
}

/** A quota of so many places for each tenant. */
export function createQuota(limit: number): Quota {
  const taken = new Map<string, number>();
  return {
    take(tenant) {
      const before = taken.get(tenant) ?? 0;
      if (before >= limit) return undefined;
      taken.set(tenant, before + 1);
      let held = true;
      return () => {
        if (!held) return;
        held = false;
        const left = (taken.get(tenant) ?? 1) - 1;
        if (left === 0) taken.delete(tenant);
        else taken.set(tenant, left);
      };
    },
  };
}

/** Runs are kept, so that waiting makes room only where somebody clears the data file. */
const RETRY_SECONDS = 3600;

/** The refusal of one more run; undefined where the tenant may have it. */
export function runsUsedUp(
  store: Pick<Store, 'runs'>,
  tenant: string,
  { runs }: Pick<TenantLimits, 'runs'>,
): Answer | undefined {
  if (store.runs.count(tenant) < runs) return undefined;
  return tooMany('run_limit_reached', `A tenant may have ${runs} runs.`, RETRY_SECONDS);
}
