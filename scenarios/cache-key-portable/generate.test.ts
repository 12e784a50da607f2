import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { computeKey, parseJsonText } from '../../src/cache-key/index.ts';
import { drawRequests } from './generate.ts';

/** What the texts of a run must show between them, whatever the seed. */
const shown: readonly (readonly [hazard: string, pattern: RegExp])[] = [
  ['an integral fraction', /:(?:1\.0|4\.50|100\.0)[,}\]]/u],
  ['negative zero', /:-0(?:\.0)?[,}\]]/u],
  ['an exponent', /:-?[0-9.]+[eE][+-]?[0-9]+[,}\]]/u],
  ['a long round trip', /0\.30000000000000004|5e-324|1\.7976931348623157e308/u],
  ['a large number', /9007199254740991|1.2345678901234568e20/u],
  ['names in code-unit order only', /\ufb33":.*\u{1f600}":|\u{1f600}":.*\ufb33":/u],
  ['integer-like names', /"10":/u],
  ['__proto__', /"__proto__":/u],
  ['a composed and a decomposed name', /\u00e9":.*e\u0301":|e\u0301":.*\u00e9":/u],
  ['an escape', /\\u0000|\\b\\f/u],
  ['a line separator', /\u2028|\\u2029/u],
  ['characters beyond U+FFFF', /\u{1f600}|\\ud83d\\ude00/u],
  ['nesting', /[[{][^"]*(?:\[|\{"[^"]*":|[0-9],?|"[ab0-9]+":){12}/u],
  ['empty values', /"":\{\}/u],
  ['lists in a response format', /"required":\[[^\]]*"age"/u],
  ['clashing tools', /"get_weather"/u],
  ['content in blocks', /"content":\[\{"type":"text"/u],
  ['long content', /.{10000}/u],
  ['texts that hosts scrub', /3f2b8c1e-9d4a.*2024-08-06T.*two {2}spaces/u],
  ['a block with an id', /"content":\[\{"id":/u],
  ['another provider', /"provider":"(?:anthropic|google)"/u],
];

const joined = (recipe: 'rfc-0041' | 'rfc-0150'): string =>
  [...drawRequests(fc, { seed: 4, vectors: 400, recipe })].map(({ request }) => request).join('\n');

const firstOf = (vectors: number): readonly string[] =>
  [...drawRequests(fc, { seed: 12, vectors, recipe: 'rfc-0041' })].map(({ request }) => request);

describe.each([1, 2, 99, -5])('generated requests of seed %i', (seed) => {
  it.each(shown)('show %s in twenty', (_hazard, pattern) => {
    const texts = [...drawRequests(fc, { seed, vectors: 20, recipe: 'rfc-0041' })].map(({ request }) => request);
    expect(texts.some((text) => pattern.test(text))).toBe(true);
  });
});

describe('generated requests', () => {
  it('hold a field outside the recipe, which the later recipe shares only where it excludes it too', () => {
    expect(joined('rfc-0041')).toMatch(/"max_tokens":/u);
    expect(joined('rfc-0150')).toMatch(/"traceparent":/u);
    expect(joined('rfc-0150')).not.toMatch(/"(?:max_tokens|maxTokens|seed|stop)":/u);
  });

  it('are all valid, have a key, and nest within 40 levels', () => {
    for (const { request } of drawRequests(fc, { seed: 8, vectors: 600, recipe: 'rfc-0041' })) {
      expect(computeKey(request, 'rfc-0041')).toMatchObject({ ok: true });
      expect(parseJsonText(request, 40).ok).toBe(true);
    }
  });

  it('give every tool of a request a name of its own and no member twice', () => {
    for (const { request } of drawRequests(fc, { seed: 9, vectors: 300, recipe: 'rfc-0041' })) {
      const parsed: { tools?: readonly { name: string }[] } = JSON.parse(request);
      const names = (parsed.tools ?? []).map(({ name }) => name);
      expect(new Set(names).size).toBe(names.length);
      const top = parseJsonText(request);
      const keys = top.ok && top.node.kind === 'object' ? top.node.members.map(({ key }) => key) : [];
      expect(new Set(keys).size).toBe(keys.length);
    }
  });

  it('hold lists of a response format that are not sorted', () => {
    const lists = [...joined('rfc-0041').matchAll(/"required":(\[[^\]]*"age"[^\]]*\])/gu)];
    const names = lists.map(([, list = '[]']) => JSON.parse(list) as readonly string[]);
    expect(names.length).toBeGreaterThan(5);
    expect(names.filter((list) => list.join() === list.toSorted().join())).toEqual([]);
  });

  it('are the same for the same seed, and fewer are the first of more', () => {
    expect(firstOf(40)).toEqual(firstOf(80).slice(0, 40));
    expect(firstOf(0)).toEqual([]);
  });
});
