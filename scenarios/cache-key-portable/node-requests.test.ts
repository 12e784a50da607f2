import { describe, expect, it } from 'vitest';
import { computeKey } from '../../src/cache-key/index.ts';
import { keysOfCall } from './node-requests.ts';

const messages = [{ role: 'user', content: 'Is the request valid?' }];

function keyOf(request: object): string {
  const computed = computeKey(JSON.stringify({ provider: 'openai-compatible', messages, ...request }), 'rfc-0041');
  return computed.ok ? computed.cacheKey : '';
}

const keys = (body: object): readonly string[] => keysOfCall({ messages, ...body }, 'rfc-0041');

describe('the keys of a call as it reached the witness', () => {
  it('are those of its request, with the format named or left out', () => {
    const model = 'witness-plain';
    expect(keys({ model })).toEqual([keyOf({ model }), keyOf({ model, responseFormat: { type: 'text' } })]);
  });

  it('hold the temperature that the definition states and was sent', () => {
    const model = 'witness-warm';
    expect(keys({ model, temperature: 0.7 })).toContain(keyOf({ model, temperature: 0.7 }));
    expect(keys({ model, temperature: 0.7 })).not.toContain(keyOf({ model }));
  });

  it('may leave out a number that no definition states', () => {
    const model = 'witness-plain';
    expect(keys({ model, top_p: 1 })).toEqual(expect.arrayContaining([keyOf({ model }), keyOf({ model, topP: 1 })]));
  });

  it('hold tools and schemas in the words of the recipe', () => {
    const model = 'witness-tools';
    const tools = [{ name: 'b', description: 'B', parameters: {} }];
    const wrapped = tools.map((tool) => ({ type: 'function', function: tool }));
    expect(keys({ model, tools: wrapped })).toContain(keyOf({ model, tools }));
    const schema = { type: 'object' };
    const format = { type: 'json_schema', json_schema: { name: 'x', schema } };
    expect(keys({ model, response_format: format })).toEqual([
      keyOf({ model, responseFormat: { type: 'json', schema } }),
    ]);
  });

  it.each([null, 7, 'text', [], {}, { model: 3, messages: 'no' }])('are none where the body is %j', (body) => {
    expect(keysOfCall(body, 'rfc-0041')).toEqual([]);
  });
});
