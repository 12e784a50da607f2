import { describe, expect, it } from 'vitest';
import { readPointer, valueAt } from './pointer.ts';

describe('a JSON pointer', () => {
  it.each<[string, string[] | undefined]>([
    ['/variables/note', ['variables', 'note']],
    ['/a~1b/~0/', ['a/b', '~', '']],
    ['/~01', ['~1']],
    ['', undefined],
    ['variables', undefined],
    ['/a~', undefined],
    ['/a~2', undefined],
  ])('%j', (pointer, names) => expect(readPointer(pointer)).toEqual(names));

  it.each<[string[], unknown]>([
    [['a', '0', 'b'], 1],
    [['a', '1'], null],
    [['a', '2'], undefined],
    [['a', '01'], undefined],
    [['a', '-'], undefined],
    [['a', 'length'], undefined],
    [['constructor'], undefined],
    [['t', '0'], undefined],
    [['', ''], 2],
  ])('leads along %j', (names, value) => {
    expect(valueAt({ a: [{ b: 1 }, null], t: 'text', '': { '': 2 } }, names)).toEqual(value);
  });
});
