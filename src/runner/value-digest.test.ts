import { describe, expect, it } from 'vitest';
import { digestOf, holds, inOrder } from './value-digest.ts';

describe('the digest of a value', () => {
  it('is that of the same value, and of no other', () => {
    const values = [
      0,
      '0',
      null,
      'null',
      '',
      {},
      [],
      [0],
      { a: 0 },
      { b: 0 },
      [[0]],
      [0, 0],
      { a: [0] },
      { a: 0, b: 0 },
    ];
    expect(new Set(values.map((value) => digestOf(value))).size).toBe(values.length);
    expect(digestOf(JSON.parse('{"a":[1,{"b":"x"}]}'))).toBe(digestOf({ a: [1, { b: 'x' }] }));
  });

  it('comes with those of all that is inside', () => {
    const inside: number[] = [];
    const value = { a: ['x', 1] };
    digestOf(value, (digest) => inside.push(digest));
    expect(inside).toEqual(['x', 1, value.a, value].map((each) => digestOf(each)));
  });

  it('is found in a list', () => {
    const list = inOrder(['c', 'a', 'b'].map((each) => digestOf(each)));
    expect(['a', 'b', 'c', 'd'].map((each) => holds(list, digestOf(each)))).toEqual([true, true, true, false]);
    expect(holds(inOrder([]), 0)).toBe(false);
  });
});
