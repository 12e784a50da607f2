import { describe, expect, it } from 'vitest';
import { remembering } from './remember.ts';

describe('remembering', () => {
  it('makes a value once, undefined too', () => {
    const remember = remembering<number | undefined>(2);
    const made: string[] = [];
    const make = (name: string, value?: number) => () => {
      made.push(name);
      return value;
    };
    expect(remember('a', make('a', 1))).toBe(1);
    expect(remember('a', make('a', 2))).toBe(1);
    expect(remember('b', make('b'))).toBeUndefined();
    expect(remember('b', make('b', 3))).toBeUndefined();
    expect(made).toEqual(['a', 'b']);
  });

  it('forgets what it has when there are too many keys', () => {
    const remember = remembering<number>(2);
    for (const key of [1, 2, 3]) remember(key, () => key);
    expect(remember(3, () => 0)).toBe(3);
    expect(remember(1, () => 10)).toBe(10);
  });

  it('counts keys by their size, and passes over one that is too large', () => {
    const remember = remembering<number, string>(10, (key) => key.length);
    remember('aaaaaa', () => 1);
    remember('x'.repeat(11), () => 2);
    expect(remember('x'.repeat(11), () => 3)).toBe(3);
    expect(remember('aaaaaa', () => 4)).toBe(1);
    remember('bbbbbb', () => 5);
    expect(remember('aaaaaa', () => 6)).toBe(6);
  });
});
