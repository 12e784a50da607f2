import { expect, it } from 'vitest';
import { inOrder } from './order.ts';

it('hands rows on in order, each as soon as those before it are there', () => {
  const given: string[] = [];
  const give = inOrder(['a', 'b', 'c', 'd'], ({ id }) => given.push(id));
  const after = ['c', 'a', 'b', 'd'].map((id) => {
    give({ id });
    return given.join('');
  });
  expect(after).toEqual(['', 'a', 'abc', 'abcd']);
});
