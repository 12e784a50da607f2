import { expect, it } from 'vitest';
import { present } from './present.ts';

it('of members those are given that have a value, in their order', () => {
  const members = present({ b: 1, a: undefined, c: null, d: '' });
  expect(Object.entries(members)).toEqual([
    ['b', 1],
    ['c', null],
    ['d', ''],
  ]);
});
