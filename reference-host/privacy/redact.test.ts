import { describe, expect, it } from 'vitest';
import { needlesFor, redact } from './redact.ts';
import { spellingsOf } from './spellings.ts';

const without = (secrets: readonly string[], value: unknown): unknown =>
  redact(value, needlesFor(new Map(secrets.map((secret) => [secret, spellingsOf(secret)]))));

describe('a redacted value', () => {
  it('has a mark in the place of a secret, wherever it stands', () => {
    const secret = 'top/secret';
    const value = {
      [secret]: [secret, `a ${secret} b ${secret}`, 7, null, true],
      json: JSON.stringify({ a: secret }),
      base64: Buffer.from(`xx${secret}`).toString('base64'),
      percent: 'TOP%2FSECRET top%2fsecret top%2Fsecret',
      hex: Buffer.from(secret).toString('hex').toUpperCase(),
    };
    expect(without([secret], value)).toEqual({
      '[REDACTED]': ['[REDACTED]', 'a [REDACTED] b [REDACTED]', 7, null, true],
      json: '{"a":"[REDACTED]"}',
      base64: expect.stringMatching(/^eH.*\[REDACTED\]/),
      percent: '[REDACTED] [REDACTED] [REDACTED]',
      hex: '[REDACTED]',
    });
    expect(Object.keys(value)[0]).toBe(secret);
  });

  it('has it once for a secret that begins with another one', () => {
    expect(without(['secret', 'secret-longer'], 'secret-longer secret')).toBe('[REDACTED] [REDACTED]');
  });

  it('keeps short secrets inside texts, and numbers elsewhere', () => {
    const value = {
      pin: 1234,
      token: 1234,
      password: 'abc',
      text: 'abcd abc',
      other: 'abc',
      secret: 'wxyz',
      alone: 'wxyz',
    };
    expect(without(['abc', '1234', 'wxyz'], value)).toEqual({
      pin: 1234,
      token: '[REDACTED]',
      password: '[REDACTED]',
      text: 'abcd abc',
      other: 'abc',
      secret: '[REDACTED]',
      alone: '[REDACTED]',
    });
  });

  it('takes secrets of any length and text of any script', () => {
    const secret = 'x'.repeat(200_000);
    expect(without([secret], `İ${secret}İ`)).toBe('İ[REDACTED]İ');
    const hex = Buffer.from('secret').toString('hex');
    expect(without(['secret'], `İ ${hex} İ`)).toBe('İ [REDACTED] İ');
    expect(without(['$&-secret'], '$&-secret')).toBe('[REDACTED]');
  });

  it('keeps members whose names mean something to the language', () => {
    const value: unknown = JSON.parse('{"__proto__":{"a":"secret"},"constructor":"secret"}');
    expect(JSON.stringify(without(['secret'], value))).toBe(
      '{"__proto__":{"a":"[REDACTED]"},"constructor":"[REDACTED]"}',
    );
  });
});
