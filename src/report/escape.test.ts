import { describe, expect, it } from 'vitest';
import { escapeJson, escapeTerminal, escapeXml, excerpt } from './escape.ts';

describe('escapeTerminal', () => {
  it.each([
    ['plain é \u{1f600}', 'plain é \u{1f600}'],
    ['\u001b[31m', String.raw`\u{1b}[31m`],
    ['a\nb\tc\rd\be\u0007f\u0000', String.raw`a\u{a}b\u{9}c\u{d}d\u{8}e\u{7}f\u{0}`],
    ['\u202e\u2066\u200b\ufeff\u2028', String.raw`\u{202e}\u{2066}\u{200b}\u{feff}\u{2028}`],
    ['\ud83d', String.raw`\u{d83d}`],
    ['\ude00\ud83d', String.raw`\u{de00}\u{d83d}`],
  ])('of %j is %s', (text, expected) => {
    expect(escapeTerminal(text)).toBe(expected);
  });
});

describe('excerpt', () => {
  it('cuts after escaping, says how much is left out, and splits no pair', () => {
    expect(excerpt('abcdef', 6)).toBe('abcdef');
    expect(excerpt('abcdefg', 3)).toBe('abc… (4 more characters)');
    expect(excerpt('ab\u{1f600}\u{1f600}', 3)).toBe('ab… (4 more characters)');
  });
});

describe('escapeXml', () => {
  it.each([
    [`<a b='c'>&"`, '&lt;a b=&apos;c&apos;&gt;&amp;&quot;'],
    ['a\tb\nc\rd', 'a&#9;b&#10;c&#13;d'],
    ['\u0000\u0008\ufffe\ud800', '\ufffd\ufffd\ufffd\ufffd'],
    ['\u009b\u202e', '&#155;&#8238;'],
    ['\u{1f600}', '\u{1f600}'],
  ])('of %j is %s', (text, expected) => {
    expect(escapeXml(text)).toBe(expected);
  });
});

describe('escapeJson', () => {
  it('changes the text and not the value', () => {
    const json = JSON.stringify('\u009b\u202e\u2028\ufeff');
    expect(escapeJson(json)).toBe(String.raw`"\u009b\u202e\u2028\ufeff"`);
    expect(JSON.parse(escapeJson(json))).toBe('\u009b\u202e\u2028\ufeff');
  });
});
