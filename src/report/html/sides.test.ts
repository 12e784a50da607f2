import { describe, expect, it } from 'vitest';
import { sidesOf } from './sides.ts';

describe('both sides of a failure', () => {
  it('are trees where both texts end with an object or a list', () => {
    expect(sidesOf('in the source: {"a":[1]}', 'in the replay: {"a":[2]}')).toEqual({
      kind: 'json',
      before: ['in the source: ', 'in the replay: '],
      expected: { a: [1] },
      actual: { a: [2] },
    });
  });

  it('are texts otherwise, in which the words that differ are marked', () => {
    expect(sidesOf('status 201 for the fork', 'status 200 for the fork')).toEqual({
      kind: 'text',
      expected: { start: 'status ', middle: '201', end: ' for the fork' },
      actual: { start: 'status ', middle: '200', end: ' for the fork' },
    });
    expect(sidesOf('a {"a":1', 'a {"a":2}')).toMatchObject({ kind: 'text' });
    expect(sidesOf('5', '5 5')).toMatchObject({
      expected: { middle: '' },
      actual: { start: '5', middle: ' 5', end: '' },
    });
    expect(sidesOf('one call', 'another thing altogether')).toMatchObject({
      expected: { start: 'one call', middle: '' },
      actual: { start: 'another thing altogether', middle: '' },
    });
  });

  it('say nothing twice where they are the same', () => {
    expect(sidesOf('same', 'same')).toMatchObject({ expected: { start: 'same', middle: '', end: '' } });
  });
});
