import { describe, expect, it } from 'vitest';
import { type Member, stringNode } from './json-node.ts';
import { withoutRepeats } from './member-order.ts';

/** Members with these names, of which each value is its own. */
function members(names: readonly string[]): readonly Member[] {
  return names.map((key, at) => ({ key, value: stringNode(`${key}${at}`) }));
}

function texts(list: readonly Member[]): readonly string[] {
  return list.map(({ value }) => (value.kind === 'string' ? value.value : ''));
}

const MANY = Array.from({ length: 20 }, (_, at) => `n${at}`);

describe('withoutRepeats', () => {
  it.each([
    ['few', ['b', 'a']],
    ['many', MANY],
  ])('leaves %s names as they are, asked once or twice', (_, names) => {
    const given = members(names);
    expect(withoutRepeats(given)).toBe(given);
    expect(withoutRepeats(given)).toBe(given);
  });

  it.each([
    ['few', ['b', 'a', 'b'], ['b2', 'a1']],
    ['many', [...MANY, 'n0'], ['n020', ...MANY.slice(1).map((name, at) => `${name}${at + 1}`)]],
  ])('gives the first place and the last value where one of %s repeats, asked once or twice', (_, names, once) => {
    const given = members(names);
    expect(texts(withoutRepeats(given))).toEqual(once);
    expect(texts(withoutRepeats(given))).toEqual(once);
  });
});
