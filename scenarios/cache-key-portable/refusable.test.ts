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
    requestText({ temperature: '1.0', topP: '0.9', topK: '40.0', model: '"openai/gpt-4:free"' }),
    requestText({ messages: '[{"role":"tool","content":"x","toolCallId":"c1"}]' }),
    withSchema('{"const":9007199254740991,"a":1e21,"b":"18014398509481984"}'),
    withTools('a-b', 'a_b', 'getWeather', 'Z', '10', 'a'.repeat(64)),
    withTools(...tools(128)),
    ...[...controls, ...before, ...after].map(({ request }) => request),
    '{',
  ])('not %s', (request) => {
    expect(mayBeRefused(request)).toBe(false);
  });
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
