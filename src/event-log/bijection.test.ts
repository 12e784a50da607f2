import { describe, expect, it } from 'vitest';
import { createIdBijection } from './bijection.ts';

describe('the renaming of event ids', () => {
  it('is one to one in both directions', () => {
    const ids = createIdBijection();
    expect(ids.bind('a', 'x')).toBe(true);
    expect(ids.bind('b', 'y')).toBe(true);
    expect(ids.bind('a', 'x')).toBe(true);
    expect(ids.bind('a', 'y')).toBe(false);
    expect(ids.bind('a', 'z')).toBe(false);
    expect(ids.bind('c', 'x')).toBe(false);
    expect(ids.count()).toBe(2);
  });

  it('lets the causes pass that were set apart, and no others', () => {
    const ids = createIdBijection();
    ids.bind('a', 'x');
    ids.setApart('lost');
    expect(ids.bindCauses('lost', 'x')).toBe(true);
    expect(ids.bindCauses('a', 'lost')).toBe(true);
    expect(ids.bindCauses('a', 'y')).toBe(false);
  });

  it('remembers the last 32,768 pairs, forgets what is older than 65,536', () => {
    const ids = createIdBijection();
    const bind = (from: number, to: number): void => {
      for (let at = from; at < to; at += 1) ids.bind(`a${at}`, `x${at}`);
    };
    bind(0, 32_769);
    expect(ids.bind('a0', 'wrong')).toBe(false);
    bind(32_769, 65_537);
    expect(ids.bind('a0', 'another')).toBe(true);
    expect(ids.bind('a40000', 'wrong')).toBe(false);
  });
});
