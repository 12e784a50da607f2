import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { diagnoseIdempotencyKey, idempotencyKey, isKeyOf, type KeyParts, spellingAdvice } from './idempotency-key.ts';

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
const parts: KeyParts = {
  runId: 'run-1',
  nodeId: 'charge',
  toolName: 'charge-card',
  args: '{"b":{"z":1,"y":2},"a":1e21}',
};
const canonical = '{"a":1e+21,"b":{"y":2,"z":1}}';

describe('idempotencyKey', () => {
  it('is the digest of run, node, tool and canonical arguments with NUL between them', () => {
    expect(idempotencyKey(parts)).toBe(sha256(`run-1\0charge\0charge-card\0${canonical}`));
    expect(idempotencyKey({ ...parts, args: '{"n":-0}' })).toBe(sha256('run-1\0charge\0charge-card\0{"n":0}'));
  });

  it('takes no arguments as {}', () => {
    expect(idempotencyKey({ ...parts, args: null })).toBe(sha256('run-1\0charge\0charge-card\0{}'));
    expect(idempotencyKey({ ...parts, args: ' { } ' })).toBe(idempotencyKey({ ...parts, args: null }));
  });

  it('is none where the arguments have no canonical form', () => {
    expect(idempotencyKey({ ...parts, args: '{"n":1e400}' })).toBeUndefined();
  });
});

describe('isKeyOf', () => {
  const right = Buffer.from(idempotencyKey(parts) ?? '', 'hex');
  const hex = right.toString('hex');

  it.each([hex, hex.toUpperCase(), `sha256:${hex}`, right.toString('base64'), right.toString('base64url')])(
    'knows the digest as %s',
    (key) => {
      expect(isKeyOf(key, [parts])).toBe(true);
      expect(isKeyOf(key, [{ ...parts, nodeId: 'other' }, parts])).toBe(true);
      expect(isKeyOf(key, [{ ...parts, nodeId: 'other' }])).toBe(false);
    },
  );

  it.each([hex.slice(0, 32), '', `sha1:${hex}`, right.toString('latin1'), `${hex}0`])('knows no other text', (key) => {
    expect(isKeyOf(key, [parts])).toBe(false);
  });

  it('is advised of where keys are written otherwise', () => {
    expect(spellingAdvice([hex])).toBe('');
    expect(spellingAdvice([hex, hex.toUpperCase()])).toMatch(/^; advice: .* not [\dA-F]{64}$/u);
  });
});

function named(key: string, given = parts, attempts: readonly string[] = []): string | undefined {
  return diagnoseIdempotencyKey(key, given, attempts)?.code;
}

describe('diagnoseIdempotencyKey', () => {
  it.each([
    ['args-unsorted', 'run-1\0charge\0charge-card\0{"b":{"z":1,"y":2},"a":1e+21}'],
    ['args-shallow-sort', 'run-1\0charge\0charge-card\0{"a":1e+21,"b":{"z":1,"y":2}}'],
    ['args-as-given', 'run-1\0charge\0charge-card\0{"b":{"z":1,"y":2},"a":1e21}'],
    ['args-omitted', 'run-1\0charge\0charge-card'],
    ['run-omitted', `charge\0charge-card\0${canonical}`],
    ['node-omitted', `run-1\0charge-card\0${canonical}`],
    ['tool-omitted', `run-1\0charge\0${canonical}`],
    ['other-order', `run-1\0charge-card\0charge\0${canonical}`],
    ['no-separators', `run-1chargecharge-card${canonical}`],
    ['other-separator', `run-1:charge:charge-card:${canonical}`],
    ['attempt-in-key', `run-1\0charge\0charge-card\0${canonical}\x001`],
  ])('names %s', (code, text) => {
    expect(named(sha256(text))).toBe(code);
  });

  it('names what sorts names at the top alone, whichever way it orders those that look like numbers', () => {
    const numbered = { ...parts, args: '{"b":{"z":1,"y":2},"9":1,"10":2,"a":0}' };
    for (const text of ['{"10":2,"9":1,"a":0,"b":{"z":1,"y":2}}', '{"9":1,"10":2,"a":0,"b":{"z":1,"y":2}}']) {
      expect(named(sha256(`run-1\0charge\0charge-card\0${text}`), numbered)).toBe('args-shallow-sort');
    }
  });

  it('knows the attempts that it is told of', () => {
    const key = sha256(`run-1\0charge\0charge-card\0${canonical}\0at-77`);
    expect(named(key)).toBeUndefined();
    expect(named(key, parts, ['at-77'])).toBe('attempt-in-key');
  });

  it('names a digest that is cut short, and several mistakes at once, however they are written', () => {
    expect(named(idempotencyKey(parts)?.slice(0, 32) ?? '')).toBe('truncated');
    expect(named(sha256(`charge\0charge-card\0${canonical}`).toUpperCase())).toBe('run-omitted');
    const both = diagnoseIdempotencyKey(sha256(`run-1:charge:${canonical}`), parts);
    expect(both?.code).toBe('tool-omitted');
    expect(both?.message).toMatch(/tool’s name is left out of the key\. .* It is ":"\.$/u);
  });

  it('names null for no arguments', () => {
    expect(named(sha256('run-1\0charge\0charge-card\0null'), { ...parts, args: null })).toBe('args-empty');
  });

  it('names nothing for the right key and for a key of nobody', () => {
    expect(named(idempotencyKey(parts) ?? '')).toBeUndefined();
    expect(named('0'.repeat(64))).toBeUndefined();
  });
});
