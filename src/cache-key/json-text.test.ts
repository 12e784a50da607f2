import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JsonNode } from './json-node.ts';
import { parseJsonText } from './json-text.ts';

function plain(node: JsonNode): unknown {
  switch (node.kind) {
    case 'null':
      return null;
    case 'array':
      return node.items.map(plain);
    case 'object':
      return Object.fromEntries(node.members.map(({ key, value }) => [key, plain(value)]));
    case 'boolean':
    case 'number':
    case 'string':
      return node.value;
  }
}

function read(text: string): unknown {
  const parsed = parseJsonText(text);
  return parsed.ok ? plain(parsed.node) : parsed;
}

describe('parseJsonText', () => {
  it('reads what JSON.parse reads', () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        expect(read(text)).toEqual(JSON.parse(text));
      }),
      { seed: 5, numRuns: 500 },
    );
  });

  it('refuses what JSON.parse refuses, and accepts nothing else', () => {
    const symbols = [
      '{',
      '}',
      '[',
      ']',
      ',',
      ':',
      '"',
      '\\',
      'u',
      '0',
      '1',
      '-',
      '.',
      'e',
      'true',
      'null',
      ' ',
      '\n',
      '\t',
      'a',
      '\u0001',
    ];
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...symbols), { maxLength: 8 }), (parts) => {
        const text = parts.join('');
        expect(parseJsonText(text).ok).toBe(isJson(text));
      }),
      { seed: 6, numRuns: 3000 },
    );
  });

  it('keeps the spelling of numbers, repeated names and lone surrogates', () => {
    const parsed = parseJsonText(String.raw`{"a":-0.0,"a":1e-07,"__proto__":"\ud800"}`);
    expect(parsed).toMatchObject({
      ok: true,
      node: {
        members: [
          { key: 'a', value: { raw: '-0.0', value: -0 } },
          { key: 'a', value: { raw: '1e-07', value: 1e-7 } },
          { key: '__proto__', value: { value: '\ud800' } },
        ],
      },
    });
  });

  it('knows where each value stood', () => {
    const text = ' [ {"a": 1.50} , "x" ] ';
    const parsed = parseJsonText(text);
    const items = parsed.ok && parsed.node.kind === 'array' ? parsed.node.items : [];
    expect(items.map(({ start, end }) => text.slice(start, end))).toEqual(['{"a": 1.50}', '"x"']);
  });

  it.each([
    ['{"a" 1}', 5],
    ['[1,]', 3],
    ['"a\u0001"', 2],
    [String.raw`"\x"`, 1],
    ['[01]', 2],
    ['', 0],
    ['1 2', 2],
  ])('says where %j goes wrong', (text, offset) => {
    expect(parseJsonText(text)).toMatchObject({ ok: false, offset });
  });

  it('refuses a text that nests too deeply instead of overflowing', () => {
    expect(parseJsonText('['.repeat(1_000_000))).toMatchObject({ ok: false, message: 'nested too deeply' });
    expect(parseJsonText('{"a":'.repeat(1_000_000))).toMatchObject({ ok: false });
    expect(parseJsonText('[[[]]]', 3).ok).toBe(true);
    expect(parseJsonText('[[[]]]', 2).ok).toBe(false);
  });

  it.each([
    [String.raw`"\\n\"\/\t\u0041"`, '\\n"/\tA'],
    [`"${String.raw`\\`.repeat(50_000)}"`, '\\'.repeat(50_000)],
  ])('decodes the escapes of a string', (text, value) => {
    expect(parseJsonText(text)).toMatchObject({ ok: true, node: { kind: 'string', value } });
  });

  it.each([
    [String.raw`"ab\x"`, 3],
    [String.raw`"\n\u12g4"`, 3],
    [String.raw`"\u12`, 1],
  ])('finds the escape that is none in %s', (text, offset) => {
    expect(parseJsonText(text)).toEqual({ ok: false, message: 'not a JSON escape', offset });
  });
});

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
