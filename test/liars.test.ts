import { describe, expect, it } from 'vitest';
import { LIARS } from './liars/index.ts';
import { DRIVEN } from './liars/driven.ts';
import { testLiars } from './liars/judged.ts';

/** A few against two suites; `npm run test:hostile` has all of them and all suites. */
const QUICK = new Set(['one-id-for-everything', 'fork-is-its-source']);
const SUITES = new Set(['fork-contract', 'replay-determinism']);

describe('liars', () => {
  it('have an id each', () => {
    const ids = LIARS.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect([...QUICK].filter((id) => !ids.includes(id))).toEqual([]);
  });

  testLiars(
    LIARS.filter(({ id }) => QUICK.has(id)),
    DRIVEN.filter(({ id }) => SUITES.has(id)),
  );
});
