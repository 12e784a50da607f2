import type { Database, SqlRow } from './sqlite.ts';

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
  /** Makes a record, whatever is there. */
  overwrite(place: LedgerPlace, owner: Owner, leaseUntil: number): void;
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

/** The ledger on a database. */
export function createLedger(database: Database): Ledger {
  const select = database.prepare('SELECT * FROM invocations WHERE run_id = ? AND idempotency_key = ?');
  const columns = '(run_id, idempotency_key, state, host, attempt, lease_until)';
  const insert = database.prepare(
    `INSERT INTO invocations ${columns} VALUES (?, ?, 'INFLIGHT', ?, ?, ?) ON CONFLICT DO NOTHING RETURNING attempt`,
  );
  const replace = database.prepare(
    `INSERT OR REPLACE INTO invocations ${columns} VALUES (?, ?, 'INFLIGHT', ?, ?, ?) RETURNING attempt`,
  );
  const owned = "run_id = ? AND idempotency_key = ? AND state = 'INFLIGHT' AND host = ? AND attempt = ?";
  const reclaim = database.prepare(
    `UPDATE invocations SET host = ?, attempt = ?, lease_until = ? WHERE ${owned} RETURNING attempt`,
  );
  const renew = database.prepare(`UPDATE invocations SET lease_until = ? WHERE ${owned} RETURNING attempt`);
  const commit = database.prepare(
    `UPDATE invocations SET state = 'COMMITTED', result = ? WHERE ${owned} RETURNING attempt`,
  );
  const claim = database.prepare(
    `INSERT INTO attempts (run_id, attempt) VALUES (?, 1)
     ON CONFLICT DO UPDATE SET attempt = attempt + 1 RETURNING attempt`,
  );
  return {
    get: ({ runId, key }) => recordOf(select.get(runId, key)),
    acquire: ({ runId, key }, { host, attempt }, leaseUntil) =>
      insert.all(runId, key, host, attempt, leaseUntil).length > 0,
    overwrite: ({ runId, key }, { host, attempt }, leaseUntil) =>
      void replace.all(runId, key, host, attempt, leaseUntil),
    reclaim: ({ runId, key }, { from, to, leaseUntil }) =>
      reclaim.all(to.host, to.attempt, leaseUntil, runId, key, from.host, from.attempt).length > 0,
    renew: ({ runId, key }, { host, attempt }, leaseUntil) =>
      renew.all(leaseUntil, runId, key, host, attempt).length > 0,
    commit: ({ runId, key }, { host, attempt }, result) => commit.all(result, runId, key, host, attempt).length > 0,
    claim: (runId) => String(claim.all(runId)[0]?.['attempt']),
  };
}

/** Rows were written by the statements above. */
function recordOf(row: SqlRow | undefined): LedgerRecord | undefined {
  if (row === undefined) return undefined;
  return {
    state: row['state'] === 'COMMITTED' ? 'COMMITTED' : 'INFLIGHT',
    host: String(row['host']),
    attempt: String(row['attempt']),
    leaseUntil: Number(row['lease_until']),
    result: row['result'] === null ? undefined : String(row['result']),
  };
}
