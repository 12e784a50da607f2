import { describe, expect, it } from 'vitest';
import { passedInRun, passedSince, passesIn } from './crash-seams.ts';

const list = (text: string, total?: number) => passesIn(text.split(''), total);

describe('passedSince', () => {
  it.each([
    ['a list that grew', list('ab'), list('abcd'), 'cd'],
    ['a list that did not', list('ab'), list('ab'), ''],
    ['the newest of a total', list('bc', 3), list('de', 5), 'de'],
    ['the newest of a total, with some of before', list('bc', 3), list('cd', 4), 'd'],
  ])('reads %s', (_, before, now, expected) => {
    expect(passedSince(before, now)?.join('')).toBe(expected);
  });

  it.each([
    ['forgot some of them', list('bc', 3), list('fg', 7)],
    ['is of bounded length without a total', list('abc'), list('cde')],
    ['is another one', list('ab'), list('xyz')],
    ['is shorter', list('abc'), list('a')],
  ])('knows nothing of a list that %s', (_, before, now) => {
    expect(passedSince(before, now)).toBeNull();
  });

  it('takes what is no name out', () => {
    expect(passesIn(['a', 1, null], 'x')).toEqual({ names: ['a'], total: 1 });
  });
});

describe('passedInRun', () => {
  it('believes no list that did not grow while the tool was called', () => {
    expect(passedInRun(list('ab'), list('ab'), 1)).toBeNull();
    expect(passedInRun(list('ab'), list('ab'), 0)).toEqual([]);
    expect(passedInRun(list('ab'), list('abc'), 1)).toEqual(['c']);
  });
});
