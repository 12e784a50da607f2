import { describe, expect, it } from 'vitest';
import { repeatedName } from './repeated-name.ts';

describe('a name that stands twice', () => {
  it.each([
    ['{"a":1,"a":2}', '"a"'],
    ['{"a":[{"b":"a"},{"b":1, "c":2, "\\u0062":3}]}', String.raw`"\u0062"`],
    ['{"__proto__":1,"__proto__":2}', '"__proto__"'],
    ['{"a":{"a":{"a":["a","a"]}},"b":"a","c":"{\\"a\\":1,\\"a\\":2}"}', undefined],
    ['[{"a":1},{"a":1}]', undefined],
    ['["a","a",{}]', undefined],
  ])('in %s is %s', (text, name) => {
    expect(repeatedName(text)).toBe(name);
  });
});
