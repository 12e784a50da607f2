import { describe, expect, it } from 'vitest';
import { makeCanary, makePlainCanary, spellingsIn } from './canary.ts';

const canary = makeCanary();
const { text, core } = canary;

function percent(value: string): string {
  return Array.from(Buffer.from(value), (byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');
}

function units(value: string): string {
  return Array.from(value, (each) => `\\u${each.charCodeAt(0).toString(16).padStart(4, '0')}`).join('');
}

describe('a canary', () => {
  it('is another one each time', () => {
    expect(makeCanary().core).not.toBe(core);
  });

  it('changes under JSON and percent', () => {
    expect(JSON.stringify(text)).not.toContain(text);
    expect(encodeURIComponent(text)).not.toBe(text);
  });
});

describe('a plain canary', () => {
  const plain = makePlainCanary();

  it('looks like no credential, and changes under JSON and percent', () => {
    expect(plain.core).toMatch(/^[a-z]{20}$/u);
    expect(makePlainCanary().core).not.toBe(plain.core);
    expect(JSON.stringify(plain.text)).not.toContain(plain.text);
    expect(encodeURIComponent(plain.text)).not.toBe(plain.text);
  });

  it.each([plain.text, JSON.stringify(plain), encodeURIComponent(plain.text), Buffer.from(plain.text).toString('hex')])(
    'is found in %s',
    (told) => expect(spellingsIn(told, plain)).toHaveLength(1),
  );
});

describe('spellingsIn', () => {
  it.each([
    ['as it is', `the key is ${text}`],
    ['as it is', JSON.stringify({ nested: JSON.stringify({ text }) })],
    ['as it is', encodeURIComponent(text)],
    ['base64', Buffer.from(text).toString('base64')],
    ['base64', Buffer.from(`a${text}`).toString('base64url')],
    ['base64', JSON.stringify(Buffer.from(`Bearer ${text} and more`).toString('base64'))],
    ['hexadecimal', Buffer.from(text).toString('hex')],
    ['hexadecimal', Buffer.from(text).toString('hex').toUpperCase()],
    ['percent', percent(text)],
    ['percent', percent(text).toUpperCase()],
    ['percent', percent(text).replaceAll('%', '%25')],
    ['JSON escapes', units(core)],
    ['JSON escapes', JSON.stringify(units(core))],
    ['JSON escapes', units(core).replaceAll('\\', '\\'.repeat(7))],
    ['character references', Array.from(core, (each) => `&#${each.charCodeAt(0)};`).join('')],
    ['character references', Array.from(core, (each) => `&#x${each.charCodeAt(0).toString(16)};`).join('')],
    ['several escapes', units(percent(core))],
  ])('finds it %s', (spelling, received) => {
    expect(spellingsIn(received, canary)).toEqual([spelling]);
  });

  it.each([
    '',
    'nothing',
    makeCanary().text,
    core.slice(0, -1),
    '%',
    '\\u00',
    '&#;',
    '%zz\\uzzzz&#zz;',
    '\\'.repeat(9),
  ])('finds nothing in %j', (received) => expect(spellingsIn(received, canary)).toEqual([]));

  it('comes to an end with a text of backslashes', () => {
    expect(spellingsIn('\\'.repeat(1_000_000), canary)).toEqual([]);
  });

  it('names each spelling once', () => {
    const both = `${text} ${text} ${percent(core)} ${Buffer.from(text).toString('base64')}`;
    expect(spellingsIn(both, canary)).toEqual(['as it is', 'base64']);
  });
});
