import { expect, it } from 'vitest';
import { namesInPointer, pointerToken } from './json-pointer.ts';

it.each([['plain'], [''], ['a/b'], ['~1'], ['~0/~01']])('%j is itself again behind a pointer', (name) => {
  expect(namesInPointer(`/${pointerToken(name)}/0`)).toEqual([name, '0']);
});

it('a pointer to the whole document goes through nothing', () => {
  expect(namesInPointer('')).toEqual([]);
});
