import canonicalize from 'canonicalize';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readFileSync } from 'node:fs';
import { canonicalJson, computeKey, remembering } from './compute.ts';
import { readRequestFile } from './request-file.ts';

const golden = readRequestFile(
  readFileSync(new URL('../../fixtures/vectors/cache-key-golden.json', import.meta.url), 'utf8'),
);
const vectors = golden.ok ? golden.requests : [];

function refusal(request: string): string {
  const result = computeKey(request, 'rfc-0041');
  return result.ok ? result.canonical : result.code;
}

describe('computeKey against the golden vectors', () => {
  it('finds all 27 of them', () => {
    expect(vectors).toHaveLength(27);
  });

  it.each(vectors)('$name', ({ request, canonical, cacheKey }) => {
    expect(computeKey(request, 'rfc-0041')).toEqual({ ok: true, canonical, cacheKey });
  });
});

describe('computeKey on requests that have no key', () => {
  const valid = '"provider":"p","model":"m","messages":[]';
  it.each([
    ['not-json', '{'],
    ['not-json', ''],
    ['not-json', '['.repeat(100_000)],
    ['malformed-request', '[]'],
    ['malformed-request', 'null'],
    ['malformed-request', '{"model":"m","messages":[]}'],
    ['malformed-request', '{"provider":"p","messages":[]}'],
    ['malformed-request', '{"provider":"p","model":"m"}'],
    ['malformed-request', '{"provider":1,"model":"m","messages":[]}'],
    ['malformed-request', '{"provider":"p","model":"m","messages":{}}'],
    ['malformed-request', '{"provider":"p","model":"m","messages":["x"]}'],
    ['malformed-request', `{${valid},"tools":[{}]}`],
    ['malformed-request', `{${valid},"temperature":"0"}`],
    ['malformed-request', `{${valid},"topP":true}`],
    ['malformed-request', `{${valid},"topK":[1]}`],
    ['malformed-request', `{${valid},"responseFormat":"json"}`],
    ['malformed-request', '{"__proto__":{"provider":"p"},"model":"m","messages":[]}'],
    ['no-canonical-form', `{${valid},"temperature":1e400}`],
    ['no-canonical-form', '{"provider":"p","model":"\\ud800","messages":[]}'],
    ['no-canonical-form', `{${valid},"responseFormat":{"type":"json","schema":{"\\udc00":1}}}`],
  ])('%s: %s', (code, request) => {
    expect(refusal(request)).toBe(code);
  });
});

describe('computeKey on the either-cases', () => {
  const plain = '{"messages":[{"content":"x","role":"user"}],"model":"m","provider":"p"}';
  it.each([
    ['explicit nulls', '"tools":null,"temperature":null,"topP":null,"topK":null,"responseFormat":null'],
    ['empty tools', '"tools":[]'],
    ['a repeated member', '"model":"other","model":"m"'],
    ['an excluded field with a value that has no form', '"seed":1e400'],
  ])('%s count as absent or take the last value', (_name, extra) => {
    const request = `{"provider":"p","model":"m","messages":[{"role":"user","content":"x","name":null}],${extra}}`;
    expect(refusal(request)).toBe(plain);
  });
});

describe('the later recipe', () => {
  it('nests the request and keeps the fields that it adds', () => {
    const request =
      '{"provider":"p","model":"m","messages":[],"seed":1,"stop":["x"],"maxOutputTokens":5,"stream":true,"user":"u"}';
    const result = computeKey(request, 'rfc-0150');
    expect(result.ok && result.canonical).toBe(
      '{"model":"m","provider":"p","recipe":"openwop-semantic-request-v2","request":{"maxOutputTokens":5,"messages":[],"seed":1,"stop":["x"]}}',
    );
  });
});

describe('canonicalJson', () => {
  it('agrees with another implementation of RFC 8785 on any JSON value', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 5 }), (value) => {
        const own = canonicalJson(JSON.stringify(value));
        expect(own.ok && own.text).toBe(canonicalize(value));
      }),
      { seed: 7, numRuns: 400 },
    );
  });

  it('agrees on strings of every kind of character and on doubles from their bits', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary' }),
        fc.double({ noNaN: true, noDefaultInfinity: true }),
        (text, number) => {
          const value = { [text]: [text, number] };
          const own = canonicalJson(JSON.stringify(value));
          expect(own.ok && own.text).toBe(canonicalize(value));
        },
      ),
      { seed: 11, numRuns: 400 },
    );
  });

  it('keeps a member called __proto__', () => {
    const own = canonicalJson('{"b":1,"__proto__":{"a":1}}');
    expect(own.ok && own.text).toBe('{"__proto__":{"a":1},"b":1}');
  });
});

describe('remembering', () => {
  it('makes a value once, undefined too', () => {
    const remember = remembering<number | undefined>(2);
    const made: string[] = [];
    const make = (name: string, value?: number) => () => {
      made.push(name);
      return value;
    };
    expect(remember('a', make('a', 1))).toBe(1);
    expect(remember('a', make('a', 2))).toBe(1);
    expect(remember('b', make('b'))).toBeUndefined();
    expect(remember('b', make('b', 3))).toBeUndefined();
    expect(made).toEqual(['a', 'b']);
  });

  it('forgets what it has when there are too many keys', () => {
    const remember = remembering<number>(2);
    for (const key of [1, 2, 3]) remember(key, () => key);
    expect(remember(3, () => 0)).toBe(3);
    expect(remember(1, () => 10)).toBe(10);
  });

  it('counts keys by their size, and passes over one that is too large', () => {
    const remember = remembering<number, string>(10, (key) => key.length);
    remember('aaaaaa', () => 1);
    remember('x'.repeat(11), () => 2);
    expect(remember('x'.repeat(11), () => 3)).toBe(3);
    expect(remember('aaaaaa', () => 4)).toBe(1);
    remember('bbbbbb', () => 5);
    expect(remember('aaaaaa', () => 6)).toBe(6);
  });
});
