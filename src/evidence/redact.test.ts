import { describe, expect, it } from 'vitest';
import { createRedactor, redactHeaders, redactJson, isOrdinaryWord } from './redact.ts';

const SECRET = 'sk-live/a+b"c\\d=E1';

function escapeAll(text: string): string {
  return Array.from(text, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0').toUpperCase()}`).join('');
}

function hexOf(unit: string): string {
  return unit.charCodeAt(0).toString(16);
}

function octal(unit: string): string {
  return unit.charCodeAt(0).toString(8).padStart(3, '0');
}

function escapeOne(unit: string): string {
  return `\\u00${hexOf(unit)}`;
}

function swapped(text: string): string {
  return Array.from(text, (unit) => (unit === unit.toLowerCase() ? unit.toUpperCase() : unit.toLowerCase())).join('');
}

function drawnOut(text: string): string {
  return text.replace(/[A-Za-z](?=[a-z]{2})/gu, '$&\u200b\u00ad\ufe0f');
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

  it.each(spellings)('removes the %s spelling in any case and with what nobody sees between', (name, spelling) => {
    const others = [spelling.toUpperCase(), spelling.toLowerCase(), swapped(spelling), drawnOut(spelling)];
    // Case is what tells two base64 texts apart, and JSON wants its u small.
    for (const other of name.startsWith('JSON escapes') ? [drawnOut(spelling)] : others) {
      expect(redact(`before ${other} after`)).toMatch(/^before \[redacted\]=* after$/u);
    }
  });

  it.each([
    ['HTML references', (text: string) => Array.from(text, (unit) => `&#${unit.charCodeAt(0)};`).join('')],
    ['references with zeros', (text: string) => Array.from(text, (unit) => `&#x00${hexOf(unit)};`).join('')],
    ['JavaScript escapes', (text: string) => Array.from(text, (unit) => `\\x${hexOf(unit)}`).join('')],
    ['braced escapes', (text: string) => Array.from(text, (unit) => `\\u{${hexOf(unit)}}`).join('')],
    ['octal escapes', (text: string) => Array.from(text, (unit) => `\\${octal(unit)}`).join('')],
    ['octal escapes without zeros', (text: string) => Array.from(text, (unit) => `\\${Number(octal(unit))}`).join('')],
    [
      'references without semicolons',
      (text: string) => Array.from(text, (unit) => `&#00${unit.charCodeAt(0)}`).join(''),
    ],
    ['hexadecimal ones', (text: string) => Array.from(text, (unit) => `&#x${hexOf(unit)}`).join('')],
    ['soft line breaks in JSON', (text: string) => JSON.stringify(text.replace(/.{5}/gu, '$&=\r\n')).slice(1, -1)],
    ['percent signs with u', (text: string) => Array.from(text, (unit) => `%u00${hexOf(unit)}`).join('')],
    ['quoted-printable', (text: string) => Array.from(text, (unit) => `=${hexOf(unit).toUpperCase()}`).join('=\r\n')],
    ['percent signs, twice', (text: string) => Array.from(text, (unit) => `%25${hexOf(unit)}`).join('')],
    ['JSON in JSON in JSON', (text: string) => JSON.stringify(JSON.stringify(escapeAll(text)))],
    ['a URL in JSON', (text: string) => JSON.stringify(encodeURIComponent(text)).replaceAll('%', '\\u0025')],
    ['named references', (text: string) => text.replaceAll('/', '&sol;').replaceAll('"', '&quot;')],
    ['soft hyphens', (text: string) => Array.from(text).join('\u00ad')],
    ['escaped zero-width spaces', (text: string) => Array.from(text, escapeOne).join('\\u200b')],
    ['colours and directions', (text: string) => `${text.slice(0, 5)}\u001b[31m\u202e${text.slice(5)}`],
    ['colours in JSON', (text: string) => `${text.slice(0, 5)}\\u001b[1;31m\u202e${text.slice(5)}\\u009b0m`],
    ['a colour behind each character', (text: string) => Array.from(text).join('\u001b[m')],
    ['tag characters between', (text: string) => Array.from(text).join('\u{e0041}')],
    ['line breaks', (text: string) => text.replace(/.{5}/gu, '$&\r\n')],
    ['upper case in base64', (text: string) => Buffer.from(`Bearer ${text.toUpperCase()}`).toString('base64')],
    ['swapped case in hexadecimal', (text: string) => Buffer.from(swapped(text)).toString('hex')],
  ])('reads %s', (_, spell) => {
    const text = redact(`{"a":"${spell(SECRET)}","b":"${swapped(spell(SECRET))}"}`);
    expect(text).toContain('[redacted]');
    expect(text.length).toBeLessThan(90);
  });

  it('keeps what stands around a credential to the letter', () => {
    const around = 'İ \u200b %41 &amp; \\u0041 \n\t';
    expect(redact(`${around}${SECRET}${around}`)).toBe(`${around}[redacted]${around}`);
    expect(redact(around)).toBe(around);
  });

  it('finds parts of a credential at the ends of what was cut, and anywhere in what quotes', () => {
    const [head, tail] = [SECRET.slice(0, 9), SECRET.slice(-9)];
    expect(redact(`${tail}: x ${head}`, 'cut')).toBe('[redacted]: x [redacted]');
    expect(redact(`x ${escapeAll(head)}\\u00`, 'cut')).toBe('x [redacted]');
    expect(redact(`${'x'.repeat(99)} ${head} ${'x'.repeat(99)}`, 'cut')).toContain(head);
    expect(redact(`x ${head} x ${tail} x`, 'pieces')).toBe('x [redacted] x [redacted] x');
    expect(redact(`x ${SECRET.slice(0, 7)}`, 'cut')).toBe(`x ${SECRET.slice(0, 7)}`);
  });

  it.each([
    '\\',
    '\\u',
    '%25',
    '%41',
    '&#0',
    '&amp;',
    'a\u200b',
    '0',
    '&#x',
    '&#01',
    '=\\',
    SECRET.slice(1),
    SECRET.slice(0, -1),
    'İ',
  ])('takes time that grows with the text: %j over and over', (part) => {
    const text = part.repeat(Math.ceil(500_000 / part.length));
    expect(redact(`&#${text}`, 'cut').length).toBeGreaterThan(10);
  });

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

describe('a text of megabytes full of escapes', () => {
  it('loses a credential wherever it stands', () => {
    const secret = 'a-secret-of-this-test';
    const redact = createRedactor([secret]);
    const encoded = Array.from(Buffer.from(secret), (byte) => `%${byte.toString(16)}`).join('');
    for (let before = 65_536 - encoded.length - 3; before < 65_540; before += 7) {
      expect(redact(`${'.'.repeat(before)}${encoded}%5%5`)).not.toContain('%73%65%63');
    }
    expect(redact(`${'%5'.repeat(200_000)}${encoded}`)).toMatch(/\[redacted\]$/u);
  });
});
