import { describe, expect, it } from 'vitest';
import { suspectsOf } from './judge.ts';
import type { Foundation } from './scenario.ts';

const observations = ['o1', 'o2'].map((id) => ({ id, type: 'run', exchanges: [] }));

function isOf(broken: string): NonNullable<Foundation['isBrokenBy']> {
  return ({ id }) => id === broken;
}

describe('suspectsOf', () => {
  it('names the claims that observations break which the judgement points at, then those that others break', () => {
    const foundations: readonly Foundation[] = [
      { check: 'other', isBrokenBy: isOf('o1') },
      { check: 'meant', isBrokenBy: isOf('o2') },
    ];
    expect(suspectsOf({ evidence: ['o2'] }, observations, foundations)).toEqual(['meant', 'other']);
    expect(suspectsOf({ evidence: [] }, observations, foundations)).toEqual(['other', 'meant']);
    expect(suspectsOf({ evidence: [] }, [], foundations)).toEqual([]);
  });
});
