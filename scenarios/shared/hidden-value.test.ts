import { describe, expect, it } from 'vitest';
import { areEqualButHidden, isHidden } from './hidden-value.ts';

describe('a value that is hidden', () => {
  it.each(['[REDACTED]', '***', '<masked>', '…', 'sk-••••', '9b74c9897bac770ffc029102a200c5de'])('is %j', (text) => {
    expect(isHidden(text)).toBe(true);
  });

  it.each(['', 'first', '0', '日本語', 0, null, undefined, {}, ['***']])('is not %j', (value) => {
    expect(isHidden(value)).toBe(false);
  });
});

describe('two values of which one may be hidden', () => {
  it.each([
    ['abc', '[REDACTED]'],
    ['***', 'abc'],
    [12, '***'],
    ['***', undefined],
    [
      { user: 'a', token: 'abc' },
      { user: 'a', token: '***' },
    ],
    [{ user: 'a' }, { user: 'a', token: '***' }],
    [
      [1, 'abc'],
      [1, '***'],
    ],
  ])('are equal: %j and %j', (one, other) => {
    expect(areEqualButHidden(one, other)).toBe(true);
  });

  it.each([
    ['abc', ''],
    ['abc', undefined],
    ['abc', null],
    [
      { user: 'a', token: 'abc' },
      { user: 'b', token: '***' },
    ],
    [{ user: 'a', token: 'abc' }, { user: 'a' }],
    [[1, '***'], [1]],
    [['a'], { 0: 'a' }],
  ])('are not: %j and %j', (one, other) => {
    expect(areEqualButHidden(one, other)).toBe(false);
  });
});
