import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Owner } from './ledger.ts';
import { openStore, type Store } from './store.ts';
import { useFolder } from '../../test/host-lives.ts';

const place = { runId: 'run', key: 'key' };
const one: Owner = { host: 'host', attempt: '1' };
const other: Owner = { host: 'host', attempt: '2' };
/** The attempts of another process count from 1 as well. */
const elsewhere: Owner = { host: 'other host', attempt: '1' };

const folder = useFolder('ledger-');

let files = 0;
describe.each(['memory', 'a file'])('the ledger in %s', (where) => {
  let store: Store;
  beforeEach(() => {
    files += 1;
    store = openStore(where === 'memory' ? undefined : join(folder, `${files}.db`), 0);
  });
  afterEach(() => store.close());

  it('makes a record where there is none, and leaves one alone', () => {
    const { ledger } = store;
    expect(ledger.get(place)).toBeUndefined();
    expect(ledger.acquire(place, one, 10)).toBe(true);
    expect(ledger.acquire(place, other, 20)).toBe(false);
    expect(ledger.acquire(place, one, 20)).toBe(false);
    expect(ledger.get(place)).toEqual({ ...one, state: 'INFLIGHT', leaseUntil: 10, result: undefined });
  });

  it('keeps the records of other runs and other keys apart', () => {
    const { ledger } = store;
    for (const each of [place, { ...place, runId: 'another' }, { ...place, key: 'another' }]) {
      expect(ledger.acquire(each, one, 10)).toBe(true);
    }
    ledger.commit(place, one, '1');
    expect(ledger.get({ ...place, key: 'another' })?.state).toBe('INFLIGHT');
  });

  it('gives a record to somebody else only from the owner that was seen', () => {
    const { ledger } = store;
    expect(ledger.reclaim(place, { from: one, to: other, leaseUntil: 20 })).toBe(false);
    ledger.acquire(place, one, 10);
    expect(ledger.reclaim(place, { from: elsewhere, to: other, leaseUntil: 20 })).toBe(false);
    expect(ledger.reclaim(place, { from: one, to: other, leaseUntil: 20 })).toBe(true);
    expect(ledger.reclaim(place, { from: one, to: elsewhere, leaseUntil: 30 })).toBe(false);
    expect(ledger.get(place)).toEqual({ ...other, state: 'INFLIGHT', leaseUntil: 20, result: undefined });
  });

  it('takes signs of life and results from the owner alone', () => {
    const { ledger } = store;
    ledger.acquire(place, one, 10);
    for (const stranger of [other, elsewhere]) {
      expect(ledger.renew(place, stranger, 99)).toBe(false);
      expect(ledger.commit(place, stranger, '"stranger"')).toBe(false);
    }
    expect(ledger.renew(place, one, 11)).toBe(true);
    expect(ledger.get(place)).toMatchObject({ state: 'INFLIGHT', leaseUntil: 11 });
    ledger.reclaim(place, { from: one, to: other, leaseUntil: 20 });
    expect(ledger.renew(place, one, 99)).toBe(false);
    expect(ledger.commit(place, one, '"late"')).toBe(false);
    expect(ledger.commit(place, other, '"result"')).toBe(true);
    expect(ledger.get(place)).toMatchObject({ state: 'COMMITTED', attempt: '2', result: '"result"' });
  });

  it('changes nothing once a result is committed', () => {
    const { ledger } = store;
    ledger.acquire(place, one, 10);
    ledger.commit(place, one, 'null');
    const kept = ledger.get(place);
    expect(kept).toMatchObject({ state: 'COMMITTED', result: 'null' });
    expect(ledger.commit(place, one, '"again"')).toBe(false);
    expect(ledger.renew(place, one, 99)).toBe(false);
    expect(ledger.reclaim(place, { from: one, to: other, leaseUntil: 99 })).toBe(false);
    expect(ledger.acquire(place, other, 99)).toBe(false);
    expect(ledger.get(place)).toEqual(kept);
  });

  it('counts the attempts at each run', () => {
    const { ledger } = store;
    expect([ledger.claim('run'), ledger.claim('run'), ledger.claim('another'), ledger.claim('run')]).toEqual([
      '1',
      '2',
      '1',
      '3',
    ]);
  });
});

describe('a ledger in a file', () => {
  it('holds its records and attempts when it is opened again', () => {
    const file = join(folder, 'data');
    const first = openStore(file, 0);
    first.ledger.claim('run');
    first.ledger.acquire(place, one, 10);
    first.ledger.acquire({ ...place, key: 'done' }, one, 10);
    first.ledger.commit({ ...place, key: 'done' }, one, '""');
    first.close();
    const second = openStore(file, 0);
    expect(second.ledger.get(place)).toEqual({ ...one, state: 'INFLIGHT', leaseUntil: 10, result: undefined });
    expect(second.ledger.get({ ...place, key: 'done' })).toMatchObject({ state: 'COMMITTED', result: '""' });
    expect(second.ledger.acquire(place, other, 20)).toBe(false);
    expect(second.ledger.claim('run')).toBe('2');
    second.close();
  });
});
