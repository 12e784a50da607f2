import type { Row, Tables, Where } from './tables.ts';

/** A tool call's place in the ledger: one record for each run and idempotency key (provable-semantics §4.1). */
export interface LedgerPlace {
  readonly runId: string;
  readonly key: string;
}

/** Who has a record in flight. */
export interface Owner {
  /** The process. */
  readonly host: string;
  /** The attempt of the worker. */
  readonly attempt: string;
}

export interface LedgerRecord extends Owner {
  readonly state: 'INFLIGHT' | 'COMMITTED';
  /** Until when the record is its owner's, in milliseconds of the clock; renewed while the owner is at work. */
  readonly leaseUntil: number;
  /** The recorded result in JSON once it is committed. */
  readonly result: string | undefined;
}

/** The invocation ledger. Every change of a record in flight is its owner's alone: it is refused to everybody else. */
export interface Ledger {
  get(place: LedgerPlace): LedgerRecord | undefined;
  /** Makes a record where there is none, in one step; whether it was made. */
  acquire(place: LedgerPlace, owner: Owner, leaseUntil: number): boolean;
  /** Makes a lost owner's record another one's; whether it was still the lost owner's. */
  reclaim(
    place: LedgerPlace,
    change: { readonly from: Owner; readonly to: Owner; readonly leaseUntil: number },
  ): boolean;
  renew(place: LedgerPlace, owner: Owner, leaseUntil: number): boolean;
  /** Keeps the result for good; whether the record was the owner's. */
  commit(place: LedgerPlace, owner: Owner, result: string): boolean;
  /** The next attempt at a run: 1, 2, … */
  claim(runId: string): string;
}

/** The ledger in a store's tables. */
export function createLedger({ table, atomically }: Tables): Ledger {
  const [invocations, attempts] = [table('invocations'), table('attempts')];
  return {
    get: (place) => recordOf(invocations.get(keysOf(place))),
    acquire: (place, owner, leaseUntil) => invocations.insert(fresh(place, owner, leaseUntil), 'keep'),
    reclaim: (place, { from, to, leaseUntil }) =>
      invocations.update(inFlight(place, from), { host: to.host, attempt: to.attempt, lease_until: leaseUntil }) > 0,
    renew: (place, owner, leaseUntil) => invocations.update(inFlight(place, owner), { lease_until: leaseUntil }) > 0,
    commit: (place, owner, result) => invocations.update(inFlight(place, owner), { state: 'COMMITTED', result }) > 0,
    claim: (runId) =>
      atomically(() => {
        const attempt = Number(attempts.get({ run_id: runId })?.['attempt'] ?? 0) + 1;
        attempts.insert({ run_id: runId, attempt }, 'replace');
        return String(attempt);
      }),
  };
}

function keysOf({ runId, key }: LedgerPlace): Where {
  return { run_id: runId, idempotency_key: key };
}

/** The record of a place while its owner is at work. */
function inFlight(place: LedgerPlace, { host, attempt }: Owner): Where {
  return { ...keysOf(place), state: 'INFLIGHT', host, attempt };
}

function fresh(place: LedgerPlace, owner: Owner, leaseUntil: number): Row {
  return { ...inFlight(place, owner), lease_until: leaseUntil, result: null };
}

/** Rows were written by the ledger above. */
function recordOf(row: Row | undefined): LedgerRecord | undefined {
  if (row === undefined) return undefined;
  return {
    state: row['state'] === 'COMMITTED' ? 'COMMITTED' : 'INFLIGHT',
    host: String(row['host']),
    attempt: String(row['attempt']),
    leaseUntil: Number(row['lease_until']),
    result: row['result'] === null ? undefined : String(row['result']),
  };
}
