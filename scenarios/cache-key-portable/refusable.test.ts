import { describe, expect, it } from 'vitest';
import type { KeyAnswered } from './observation.ts';
import { isAllowedRefusal, mayBeRefused } from './refusable.ts';
import { after, before, controls, requestText, withContent, withSchema } from './requests.ts';

const refused = (status: number): KeyAnswered => ({ kind: 'refused', status });
/** A request with tools of these names. */
function withTools(...names: readonly string[]): string {
  return requestText({ tools: JSON.stringify(names.map((name) => ({ name, parameters: {} }))) });
}

/** So many names of tools. */
function tools(count: number): readonly string[] {
  return Array.from({ length: count }, (_, index) => `tool_${index}`);
}

const unknown = requestText({ provider: '"google"' });

describe('mayBeRefused', () => {
  it.each([
    unknown,
    requestText({ temperature: '1.75' }),
    requestText({ topP: '2' }),
    requestText({ topK: '1e21' }),
    requestText({ topK: '2.5' }),
    requestText({ model: '" gpt-4"' }),
    requestText({ model: '"a b"' }),
    requestText({ model: '"claude-3-5-sonnet-20241022"' }),
    withContent('""'),
    withContent('[]'),
    requestText({ messages: '[{"role":"tool","content":"x"}]' }),
    requestText({ messages: '[{"role":"tool","content":"x","toolCallId":"c1"}]' }),
    requestText({ messages: '[{"role":"user","content":"x","toolCallId":"c1"}]' }),
    requestText({ topK: '40' }),
    requestText({ stream: 'true' }),
    withContent('"\uffff"'),
    withContent(String.raw`"\udbff\udfff"`),
    withContent('[{"text":"a\ufdd0","type":"text"}]'),
    withContent(String.raw`"a\u0000"`),
    withSchema(String.raw`{"a\u0000":1}`),
    withSchema('{"a":[{"\ufffe":1}]}'),
    withSchema('{"a":{"__proto__":1}}'),
    withSchema('{"const":18014398509481984}'),
    withTools('a.b', 'a-b'),
    withTools('\u00e9'),
    withTools('\ufb33', '\u{1f600}'),
    withTools('a'.repeat(65)),
    withTools(...tools(129)),
  ])('%s', (request) => {
    expect(mayBeRefused(request)).toBe(true);
  });

  it.each([
    requestText(),
    requestText({ temperature: '1.0', topP: '0.9', model: '"openai/gpt-4:free"' }),
    withContent('"\u0001\ue000\ufffd\u{10fffd}__proto__"'),
    withSchema('{"constructor":1,"prototype":2,"a":"__proto__"}'),
    withSchema('{"const":9007199254740991,"a":1e21,"b":"18014398509481984"}'),
    withTools('a-b', 'a_b', 'getWeather', 'Z', '10', 'a'.repeat(64)),
    withTools(...tools(128)),
    ...[...controls, ...before, ...after].flatMap(({ name, request }) => (name === 'every field' ? [] : [request])),
    '{',
  ])('not %s', (request) => {
    expect(mayBeRefused(request)).toBe(false);
  });
});

it('takes what one recipe holds and the other does not for what it is', () => {
  expect(mayBeRefused(requestText({ seed: '7' }))).toBe(true);
  expect(mayBeRefused(requestText({ seed: '7' }), 'rfc-0150')).toBe(false);
});

describe('an allowed refusal', () => {
  it('is a 4xx without a key, about the request', () => {
    expect(isAllowedRefusal({ request: unknown, answer: refused(400) })).toBe(true);
    expect(isAllowedRefusal({ request: requestText(), answer: refused(400) })).toBe(false);
    expect(isAllowedRefusal({ request: unknown, answer: refused(500) })).toBe(false);
    expect(isAllowedRefusal({ request: unknown, answer: refused(429) })).toBe(false);
    expect(isAllowedRefusal({ request: unknown, answer: { kind: 'refused', status: 400, key: 'k' } })).toBe(false);
    expect(isAllowedRefusal({ request: unknown, answer: { kind: 'key', key: 'k' } })).toBe(false);
  });
});
