import { describe, expect, it } from 'vitest';
import { BEHAVIOURS } from './hostile/index.ts';
import { testSurvival } from './hostile/judged.ts';

/** A few that are over soon; `npm run test:hostile` has all of them. */
const QUICK = new Set([
  'always.redirects-to-itself',
  'bytes.headers-for-ever',
  'bytes.two-lengths',
  'name.run-id-of-prototypes',
  'seam.deep',
  'snapshot.malformed',
]);

describe('hostile hosts', () => {
  it('have an id each, and are many', () => {
    const ids = BEHAVIOURS.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.length).toBeGreaterThanOrEqual(60);
    expect([...QUICK].filter((id) => !ids.includes(id))).toEqual([]);
  });

  testSurvival(BEHAVIOURS.filter(({ id }) => QUICK.has(id)));
});
