import { describe, expect, it } from 'vitest';
import { member } from '../../src/contract/discovery.ts';
import { computeKey } from '../../src/cache-key/index.ts';
import { keysOfCall, MODELS } from './node-requests.ts';
import { statedRequests } from './stated-requests.ts';

const messages = [{ role: 'user', content: 'Is the request valid?' }];

function keyOf(request: object): string {
  const computed = computeKey(JSON.stringify({ provider: 'openai-compatible', messages, ...request }), 'rfc-0041');
  return computed.ok ? computed.cacheKey : '';
}

const keys = (body: object): readonly string[] => keysOfCall({ messages, ...body }, 'rfc-0041');

/** What the definition states of the node with a schema, and of the one with tools. */
const SCHEMA = { type: 'object', properties: { valid: { type: 'boolean' } }, required: ['valid'] };
const SCHEMA_KEY = keyOf({ model: 'witness-schema', responseFormat: { type: 'json', schema: SCHEMA } });
const [TOOLS, TOOLS_KEY] = statedTools();

function statedTools(): readonly [tools: readonly object[], key: string] {
  const tools = statedRequests().get('witness-tools')?.tools as readonly object[];
  return [tools, keyOf({ model: 'witness-tools', tools })];
}

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
    const format = { type: 'json_schema', json_schema: { name: 'x', schema: SCHEMA } };
    expect(keys({ model: 'witness-schema', response_format: format })).toEqual([SCHEMA_KEY]);
  });

  it.each([null, 7, 'text', [], {}, { model: 3, messages: 'no' }])('are none where the body is %j', (body) => {
    expect(keysOfCall(body, 'rfc-0041')).toEqual([]);
  });
});

describe('what the definition states', () => {
  it('is one request of each model', () => {
    expect(new Set(statedRequests().keys())).toEqual(MODELS);
    expect(statedRequests().get('witness-warm')).toMatchObject({
      messages: [
        { role: 'system', content: 'Answer with JSON: re\u0301ponds.' },
        { role: 'user', content: 'Is the request valid?' },
      ],
      temperature: 0.7,
    });
    expect(statedRequests().get('witness-schema')?.schema).toEqual(SCHEMA);
  });

  it.each<[string, object]>([
    ['with a stricter schema', { response_format: jsonSchema({ ...SCHEMA, additionalProperties: false }) }],
    ['with JSON of any form and an instruction', { ...instructed(), response_format: { type: 'json_object' } }],
    ['with an instruction alone', instructed()],
    ['with a schema under a tool', { tools: [{ type: 'function', function: { name: 'answer', parameters: SCHEMA } }] }],
    ['with texts as blocks', { ...inBlocks(), response_format: jsonSchema(SCHEMA) }],
    ['with a number that nobody states', { response_format: jsonSchema(SCHEMA), top_p: 1, temperature: 1 }],
    ['without messages', { messages: undefined }],
  ])('is the request where an adapter sends it %s', (_, body) => {
    expect(keys({ model: 'witness-schema', ...body })).toContain(SCHEMA_KEY);
  });

  it('is the request where an adapter names the system otherwise', () => {
    const [system, user] = statedRequests().get('witness-warm')?.messages ?? [];
    const sent = { messages: [{ ...Object(system), role: 'developer' }, user], temperature: 0.7 };
    const own = keyOf({ model: 'witness-warm', messages: [system, user], temperature: 0.7 });
    const asSent = keyOf({ model: 'witness-warm', ...sent });
    expect(keys({ model: 'witness-warm', ...sent })).toEqual(expect.arrayContaining([own, asSent]));
    expect(keys({ model: 'witness-warm', ...sent })).not.toContain(
      keyOf({ model: 'witness-warm', messages: [system, user] }),
    );
  });

  it('is the request where an adapter makes tools strict', () => {
    const strict = TOOLS.map((tool) => ({
      type: 'function',
      function: { ...tool, parameters: { ...Object(member(tool, 'parameters')), additionalProperties: false } },
    }));
    const found = keys({ model: 'witness-tools', ...inBlocks(), tools: strict });
    expect(found).toContain(TOOLS_KEY);
    expect(found).not.toContain(keyOf({ model: 'witness-tools' }));
    // Two forms of the messages, two of the tools, three of the format.
    expect(found).toHaveLength(12);
  });

  it('adds no key where it was sent as it is', () => {
    const wrapped = TOOLS.map((tool) => ({ type: 'function', function: tool }));
    expect(keys({ model: 'witness-tools', tools: wrapped })).toHaveLength(3);
    expect(keys({ model: 'witness-of-nobody' })).toHaveLength(2);
  });
});

/** A response format as chat completions spell it. */
function jsonSchema(schema: object): object {
  return { type: 'json_schema', json_schema: { name: 'answer', strict: true, schema } };
}

/** The messages with an instruction to answer with JSON. */
function instructed(): object {
  return { messages: [...messages, { role: 'system', content: `Answer with JSON: ${JSON.stringify(SCHEMA)}` }] };
}

/** The messages with their texts as blocks. */
function inBlocks(): object {
  return { messages: messages.map(({ role, content }) => ({ role, content: [{ type: 'text', text: content }] })) };
}
