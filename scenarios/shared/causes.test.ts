import { describe, expect, it } from 'vitest';
import { causes } from './causes.ts';

const { diagnoses, wrong } = causes([
  ['late', 'it came late', ['a.b', 'a.c']],
  ['lost', 'it did not come', ['a.b']],
]);

describe('a table of causes', () => {
  it('is told in its order, with what each breaks', () => {
    expect(diagnoses).toEqual([
      { code: 'late', message: 'it came late', breaks: ['a.b', 'a.c'] },
      { code: 'lost', message: 'it did not come', breaks: ['a.b'] },
    ]);
  });

  it('gives judgements a name and its message, and nothing else', () => {
    expect(wrong('lost')).toEqual({ code: 'lost', message: 'it did not come' });
  });
});
