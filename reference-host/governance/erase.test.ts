import { describe, expect, it } from 'vitest';
import { eraserOf } from './erase.ts';

describe('an eraser', () => {
  it('takes a value out wherever it stands, and its texts out of others', () => {
    const value = { name: 'Somebody', age: 7 };
    const from = {
      whole: value,
      list: [value, 'by Somebody.'],
      part: { name: 'Somebody', age: 8 },
      encoded: Buffer.from('Somebody').toString('base64'),
      age: 7,
    };
    expect(eraserOf(value).erase(from, false)).toEqual({
      whole: '[DELETED]',
      list: ['[DELETED]', 'by [DELETED].'],
      part: { name: '[DELETED]', age: 8 },
      encoded: '[DELETED]',
      age: 7,
    });
  });

  it.each([7, true, null, '', 'abc', [], {}, [1, 2]])('takes %j out near its place only', (value) => {
    const from = { value, text: 'abc 7' };
    expect(eraserOf(value).erase(from, false)).toEqual(from);
    expect(eraserOf(value).erase(from, true)).toEqual({ value: '[DELETED]', text: 'abc 7' });
  });
});
