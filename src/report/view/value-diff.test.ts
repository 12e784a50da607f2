import { describe, expect, it } from 'vitest';
import { diffJson } from './value-diff.tsx';

describe('two JSON values', () => {
  it('are the same whatever the order of their members', () => {
    expect(diffJson({ a: 1, b: [1, { c: null }] }, { b: [1, { c: null }], a: 1 })).toMatchObject({ kind: 'same' });
  });

  it('are aligned by names and places, with what is missing, extra and changed', () => {
    const before = { kept: { x: 1 }, gone: 1, list: [1, 2, 3], value: 'a' };
    const after = { kept: { x: 1 }, list: [1, 4], value: { b: 1 }, come: true };
    expect(diffJson(before, after)).toEqual({
      kind: 'within',
      name: '',
      isList: false,
      members: [
        { kind: 'same', name: 'kept', value: { x: 1 } },
        { kind: 'missing', name: 'gone', before: 1 },
        {
          kind: 'within',
          name: 'list',
          isList: true,
          members: [
            { kind: 'same', name: '0', value: 1 },
            { kind: 'changed', name: '1', before: 2, after: 4 },
            { kind: 'missing', name: '2', before: 3 },
          ],
        },
        { kind: 'changed', name: 'value', before: 'a', after: { b: 1 } },
        { kind: 'extra', name: 'come', after: true },
      ],
    });
  });

  it('are one change where they are of other kinds, too deep or too wide', () => {
    expect(diffJson([1], { 0: 1 })).toMatchObject({ kind: 'changed' });
    expect(diffJson(null, {})).toMatchObject({ kind: 'changed' });
    const wide = Object.fromEntries(Array.from({ length: 300 }, (_, index) => [`m${index}`, index]));
    expect(diffJson(wide, { ...wide, m0: 'x' })).toMatchObject({ kind: 'changed' });
    let [deep, other]: [unknown, unknown] = [1, 2];
    for (let level = 0; level < 60; level += 1) [deep, other] = [{ a: deep }, { a: other }];
    expect(JSON.stringify(diffJson(deep, other))).toContain('"kind":"changed"');
  });

  it('may have members that other objects inherit', () => {
    const hostile = JSON.parse('{"__proto__":{"a":1},"constructor":2}') as unknown;
    expect(diffJson(hostile, {})).toMatchObject({ members: [{ name: '__proto__' }, { name: 'constructor' }] });
  });
});
