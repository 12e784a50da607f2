import { describe, expect, it } from 'vitest';
import { createRedactor, redactHeaders, redactJson, isOrdinaryWord } from './redact.ts';

const SECRET = 'sk-live/a+b"c\\d=E1';

function escapeAll(text: string): string {
  return Array.from(text, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0').toUpperCase()}`).join('');
}

describe('createRedactor', () => {
  const redact = createRedactor([SECRET]);
  const spellings: readonly (readonly [string, string])[] = [
    ['plain', SECRET],
    ['JSON-escaped', JSON.stringify(SECRET).slice(1, -1)],
    ['JSON-escaped with escaped slashes', JSON.stringify(SECRET).slice(1, -1).replaceAll('/', '\\/')],
    ['JSON escapes only', escapeAll(SECRET)],
    ['JSON escapes of HTML-unsafe characters', SECRET.replace('+', '\\u002B').replace('"', '\\u0022')],
    ['percent-encoded', encodeURIComponent(SECRET)],
    ['percent-encoded in lower case', encodeURIComponent(SECRET).replaceAll('%2F', '%2f')],
    ['base64', Buffer.from(SECRET).toString('base64')],
    ['base64url', Buffer.from(SECRET).toString('base64url')],
  ];

  it.each(spellings)('removes the %s spelling from the middle of a text', (_, spelling) => {
    const text = redact(`before ${spelling} after`);
    expect(text).toMatch(/^before \[redacted\]=* after$/u);
  });

  it.each(['Bearer ', 'u:', 'x', 'xy', 'xyz'])(
    'removes the credential from base64 text in which %j stands before it',
    (prefix) => {
      const encoded = Buffer.from(`${prefix}${SECRET} and more`).toString('base64');
      const inner = Buffer.from(SECRET.slice(2, -2)).toString('base64').slice(4, -4);
      expect(redact(encoded)).toContain('[redacted]');
      expect(redact(encoded)).not.toContain(inner);
      expect(redact(encoded).length).toBeLessThan(encoded.length);
    },
  );

  it('removes every occurrence of every credential, the longer one first', () => {
    const both = createRedactor(['credential-1', 'credential-1-long']);
    expect(both('credential-1-long credential-1 credential-1')).toBe('[redacted] [redacted] [redacted]');
  });

  it('replaces a short credential as a whole word only', () => {
    const short = createRedactor(['dev1']);
    expect(short('dev1 dev12 dev1-key my_dev1 "dev1" /dev1/')).toBe(
      '[redacted] dev12 dev1-key my_dev1 "[redacted]" /[redacted]/',
    );
  });

  it('finds a credential in hexadecimal and as character references', () => {
    const secret = 'sk-live-123';
    const hidden = createRedactor([secret]);
    const hex = Buffer.from(secret).toString('hex');
    const decimal = Array.from(secret, (character) => `&#${character.charCodeAt(0)};`).join('');
    const hexadecimal = Array.from(secret, (character) => `&#x${character.charCodeAt(0).toString(16)};`).join('');
    for (const text of [hex, hex.toUpperCase(), decimal, hexadecimal]) expect(hidden(`<${text}>`)).toBe('<[redacted]>');
  });

  it('leaves a credential that is a short plain word in texts, and takes it out of headers', () => {
    const word = createRedactor(['key']);
    expect(word('{"kind":"key"}')).toBe('{"kind":"key"}');
    expect(redactHeaders({ authorization: 'Bearer key' }, word)).toEqual({ authorization: '[redacted]' });
    expect(['key', 'test', 'secret'].every(isOrdinaryWord)).toBe(true);
    expect(['key1', 'longer-key', 'passwords'].some(isOrdinaryWord)).toBe(false);
  });

  it('takes metacharacters literally', () => {
    const odd = createRedactor(['a.*b(c)[d]{2}|^$?+']);
    expect(odd('a.*b(c)[d]{2}|^$?+')).toBe('[redacted]');
    expect(odd('aXXb(c)[d]{2}|^$?+')).toBe('aXXb(c)[d]{2}|^$?+');
  });

  it('copes with a credential beyond ASCII and with a lone surrogate in it', () => {
    expect(createRedactor(['pässwörd-\u{1f511}'])('pässwörd-\u{1f511}')).toBe('[redacted]');
    expect(createRedactor(['password-\u{1f511}'])(String.raw`password-\ud83d\udd11`)).toBe('[redacted]');
    expect(createRedactor(['password-\ud800'])('x')).toBe('x');
  });

  it('leaves texts alone where there is no credential', () => {
    expect(createRedactor([])('anything')).toBe('anything');
    expect(createRedactor([''])('anything')).toBe('anything');
  });
});

describe('redactHeaders', () => {
  const redact = createRedactor(['topsecret']);

  it('hides credential headers whole and searches all others, names too', () => {
    const headers = { Authorization: 'Basic abc', 'Set-Cookie': 's=1', 'X-Echo': 'got topsecret', 'x-topsecret': '1' };
    expect(redactHeaders(headers, redact)).toEqual({
      authorization: '[redacted]',
      'set-cookie': '[redacted]',
      'x-echo': 'got [redacted]',
      'x-[redacted]': '1',
    });
  });

  it('keeps a credential header that names a variable', () => {
    expect(redactHeaders({ authorization: 'Bearer $MY_KEY' }, redact)).toEqual({ authorization: 'Bearer $MY_KEY' });
    expect(redactHeaders({ authorization: 'Bearer $(id)' }, redact)).toEqual({ authorization: '[redacted]' });
  });

  it('keeps a header called __proto__ as a header', () => {
    const headers = Object.fromEntries([['__proto__', 'topsecret']]);
    expect(Object.entries(redactHeaders(headers, redact))).toEqual([['__proto__', '[redacted]']]);
  });
});

describe('redactJson', () => {
  const redact = createRedactor(['topsecret']);

  it('searches strings and keys at every depth and leaves other values as they are', () => {
    expect(redactJson({ a: ['topsecret', { 'k-topsecret': 'x' }], n: 1, t: true, z: null }, redact)).toEqual({
      a: ['[redacted]', { 'k-[redacted]': 'x' }],
      n: 1,
      t: true,
      z: null,
    });
  });

  it('spares no member that a host may choose', () => {
    expect(redactJson({ request: 'topsecret' }, redact)).toEqual({ request: '[redacted]' });
  });

  it('keeps __proto__ as a member', () => {
    const value = redactJson(JSON.parse('{"__proto__": {"a": "topsecret"}}'), redact);
    expect(JSON.stringify(value)).toBe('{"__proto__":{"a":"[redacted]"}}');
    expect(Object.hasOwn(Object.prototype, 'a')).toBe(false);
  });
});
