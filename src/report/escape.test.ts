import { describe, expect, it } from 'vitest';
import { escapeJson, escapePage, escapeTerminal, escapeXml, excerpt } from './escape.ts';

/** Texts that some pipeline's runner would obey, wherever it stands in a line. */
const COMMANDS = [
  '::error::x',
  'a ::stop-commands::t',
  '\n::add-mask::x',
  '::::',
  ':\u200b:error::',
  '//[::error::x]',
  '//[::add-mask',
  '##vso[task.complete]',
  '###[error]x',
  "##teamcity[buildStop comment='']",
  '#\u00ad#[add-path]x',
];
const OBEYED = /::|##[\w.-]*\[/u;
/** Characters that change what a reader sees, or that a reader does not see. */
const HIDDEN = '\u202e\u2066\u200b\u00ad\u115f\u180e\u2800\ufe0f\u{e0041}\u{e0100}\u009b';

describe('escapeTerminal', () => {
  it.each([
    ['plain é \u{1f600}', 'plain é \u{1f600}'],
    ['\u001b[31m', String.raw`\u{1b}[31m`],
    ['a\nb\tc\rd\be\u0007f\u0000', String.raw`a\u{a}b\u{9}c\u{d}d\u{8}e\u{7}f\u{0}`],
    ['\u202e\u2066\u200b\ufeff\u2028', String.raw`\u{202e}\u{2066}\u{200b}\u{feff}\u{2028}`],
    ['\ud83d', String.raw`\u{d83d}`],
    ['\ude00\ud83d', String.raw`\u{de00}\u{d83d}`],
    ['::error::x', String.raw`:\u{3a}error:\u{3a}x`],
    ['##vso[x] ###[y]', String.raw`#\u{23}vso[x] ##\u{23}[y]`],
    ['a:b ## c #[d] http://[::1]:80', 'a:b ## c #[d] http://[::1]:80'],
    ['\u{e0041}\ufe0f\u00ad', String.raw`\u{e0041}\u{fe0f}\u{ad}`],
    ['\u2800\u3164 \u2801', '\\u{2800}\\u{3164} \u2801'],
  ])('of %j is %s', (text, expected) => {
    expect(escapeTerminal(text)).toBe(expected);
  });
});

describe.each([
  ['escapeTerminal', escapeTerminal],
  ['escapePage', escapePage],
  ['escapeJson', (text: string) => escapeJson(JSON.stringify(text))],
  ['escapeXml', escapeXml],
])('%s', (_, escape) => {
  it.each(COMMANDS)('leaves no command in %j', (text) => {
    expect(escape(text)).not.toMatch(OBEYED);
  });

  it('leaves no hidden character, and is the same when done again', () => {
    expect(escape(HIDDEN)).toMatch(/^[ -~]+$/u);
    expect(escapeTerminal(escape(HIDDEN))).toBe(escape(HIDDEN));
  });

  it.each([':', '#', '##a', '\u200b', '//[:'])('takes time that grows with the text: %j over and over', (part) => {
    expect(escape(part.repeat(300_000)).length).toBeGreaterThanOrEqual(300_000);
  });
});

describe('escapePage', () => {
  it('keeps lines and colours, and nothing else that a terminal obeys', () => {
    expect(escapePage('\u001b[31mred\u001b[39m\n\u001b[2J\r')).toBe('\u001b[31mred\u001b[39m\n\\u{1b}[2J\\u{d}');
  });

  it('breaks what only the page puts together', () => {
    expect(escapePage(`${escapeTerminal('x:')}: y`)).toBe(String.raw`x:\u{3a} y`);
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
    for (const text of [...COMMANDS, HIDDEN, '\\::', '\\##[']) {
      expect(JSON.parse(escapeJson(JSON.stringify({ [text]: text }, null, 2)))).toEqual({ [text]: text });
    }
  });
});
