import { describe, expect, it } from 'vitest';
import { secretsIn, isSensitiveName } from './find-secrets.ts';

const found = (value: unknown): string[] => [...secretsIn(value)];

describe('a sensitive name', () => {
  it.each([
    'password',
    'DB_PASSWORD',
    'api-key',
    'apiKey',
    'X-Api-Key',
    'accessToken',
    'client.secret',
    'Authorization',
    'passwd',
    'credentials',
    'privateKey',
    'aws_secret_access_key',
  ])('is %s', (name) => expect(isSensitiveName(name)).toBe(true));

  it.each([
    'cacheKey',
    'idempotency_key',
    'key',
    'name',
    'tokenizer',
    'passed',
    'secretary',
    '',
    'author',
    '__proto__',
  ])('is not %s', (name) => expect(isSensitiveName(name)).toBe(false));
});

describe('the secrets in a value', () => {
  it.each<[unknown, string[]]>([
    [{ apiKey: 'one', other: 'no' }, ['one']],
    [{ a: [{ b: { secret: 'deep' } }] }, ['deep']],
    [{ password: 4711 }, ['4711']],
    [{ secret: ['a', { b: 'c' }] }, ['a', 'c']],
    [{ authorization: 'Bearer abc' }, ['Bearer abc', 'abc']],
    [{ name: 'apiKey', value: 'told beside' }, ['told beside']],
    [{ name: 'plain', value: 'no' }, []],
    [{ credentials: 'text' }, ['text']],
    [{ credentials: { user: 'no', password: 'yes' } }, ['yes']],
    [{ inputTokens: 12, outputTokens: 3 }, []],
    [{ secret: true, token: null, password: '' }, []],
    [{ secret: '[REDACTED]', token: '[DELETED]' }, []],
    [{ text: '{"token":"in a text"}' }, ['in a text']],
    [{ text: JSON.stringify(JSON.stringify({ token: 'twice' })) }, ['twice']],
    ['I found {"api_key" : "in \\"the\\" middle"} there', ['in "the" middle']],
    ['{"token": "broken off', []],
    [JSON.parse('{"__proto__":{"token":"own"}}'), ['own']],
    [null, []],
    [undefined, []],
  ])('%j', (value, secrets) => expect(found(value)).toEqual(secrets));
});
