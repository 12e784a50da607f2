import { describe, expect, it } from 'vitest';
import { readChannel } from './channel-form.ts';

const MANY = Array.from({ length: 200 }, (_, index) => ({ id: `<${index}>` }));

describe('what a snapshot shows of a channel', () => {
  it.each<[unknown, ...unknown[]]>([
    ['x', 'x'],
    [['w', 'x'], 'x'],
    [[{ value: 'x', at: 1 }], 'x'],
    ['wx', 'w', 'x'],
    [{ a: 1, b: 2 }, { a: 1 }, { b: 2 }],
    [{ value: { a: 2 }, version: 2 }, { a: 1 }, { a: 2 }],
    [['a', 'b'], ['a'], ['b']],
    [['a'], ['a'], []],
    [[], ['a'], []],
    [undefined, ['a'], null],
    // The first of two messages with one id, alone or in a list.
    [
      { id: 'm', text: 'first' },
      { id: 'm', text: 'first' },
      { id: 'm', text: 'second' },
    ],
    [[{ id: 'm', text: 'first' }], { id: 'm', text: 'first' }, { id: 'm', text: 'second' }],
    // Merged, member by member.
    [
      { a: { b: 1, c: 2 }, d: [1, 2] },
      { a: { b: 1 }, d: [1] },
      { a: { c: 2 }, d: [2] },
    ],
    [{ value: ['a', 'b'], version: 2 }, 'a', 'b'],
    [{ entries: [{ value: 'a', at: 1 }] }, 'a'],
    [{ entries: [{ value: ['a'] }] }, ['a']],
    [MANY, ...MANY],
    [{ latest: MANY[180] }, MANY],
  ])('holds what was written: %j', (is, ...written) => expect(readChannel(is, written)).toBe('held'));

  it.each<[unknown, ...unknown[]]>([
    // A sum onto what was there before, a sum of members, a count.
    [4, 3],
    [3, 1, 2],
    [
      { count: 3, name: 'n' },
      { count: 1, name: 'n' },
      { count: 2, name: 'n' },
    ],
    [2, 'a', 'b'],
    [{ count: 2, digest: 'd' }, 'a', 'b'],
    [{ total: 2 }, { text: 'a' }],
    ['{"a":1}', { a: 1 }],
    [[1, 2], 'a', 'b'],
    // What was written in between is not looked for in a channel that was written often.
    [MANY[120], ...MANY],
    [{ latest: MANY[120] }, MANY],
  ])('may be made of it, or be in a form of its own: %j', (is, ...written) =>
    expect(readChannel(is, written)).toBe('own form'),
  );

  it.each<[unknown, ...unknown[]]>([
    [[], 'x'],
    [{}, { a: 1 }],
    [null, { a: 1 }],
    [undefined, 'x'],
    ['', 'x'],
    ['garbled', 'x'],
    [['garbled'], 'w', 'x'],
    [{ a: 'garbled' }, { a: 'x' }, { a: 'y' }],
    [[{ id: 'm', text: 'garbled' }], { id: 'm', text: 'x' }],
    [{ value: 'garbled', version: 1 }, 'x'],
    [{ entries: [{ value: 'garbled' }] }, 'x'],
    [[['garbled']], ['x']],
    [[3], 4],
    [false, true],
    [
      { count: 3, name: 'garbled' },
      { count: 1, name: 'n' },
    ],
  ])('has lost it: %j', (is, ...written) => expect(readChannel(is, written)).toBe('lost'));

  it('is not known where there is more than is looked at', () => {
    const deep = (depth: number): unknown =>
      depth === 0 ? ['x'] : Array.from({ length: 12 }, () => ({ a: deep(depth - 1) }));
    const written = Array.from({ length: 100 }, (_, index) => ({ a: { a: `y${index}` } }));
    expect(readChannel({ value: deep(4) }, written)).toBe('own form');
  });
});
