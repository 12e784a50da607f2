import { digestScenario } from './digest-rows.ts';
import { control, conversationOf, either, MANY, probe, requestText, withContent, withParameters } from './requests.ts';

const withModel = (id: string): string => requestText({ model: JSON.stringify(id) });
const withTool = (tool: string): string => requestText({ tools: `[${tool}]` });
const block = (text: string): string => `{"text":${JSON.stringify(text)},"type":"text"}`;

function withTools(...names: readonly string[]): string {
  return withTool(names.map((name) => `{"name":${JSON.stringify(name)},"parameters":{}}`).join(','));
}

function withMessages(...list: readonly (readonly [role: string, content: string])[]): string {
  return requestText({ messages: JSON.stringify(list.map(([role, content]) => ({ content, role }))) });
}

/** More words than fit into 64 KiB, where hosts cut texts off. */
const LONG = 14_000;

/** As long as a small picture. */
const PICTURE = `data:image/png;base64,${'iVBORw0KGgo'.repeat(1000)}`;

const JSON_TEXT = String.raw`"{ \"b\": 1,\n \"a\": [ 2.0 ] }"`;

/** An address that is another one each time that it is handed out. */
const SIGNED = 'https://files.example/a.png?expires=1700000000&signature=c2lnbmVk#page=2';

const LOOKUP_ONE = '{"description":"one","name":"lookup","parameters":{}}';
const LOOKUP_TWO = '{"description":"two","name":"lookup","parameters":{}}';
/** What rows about tools need: where one tool is hashed otherwise, they say nothing. */
const oneTool = control('one tool', withTools('lookup'));

/** The same for messages: what is hashed otherwise by itself says nothing of order, shape and spelling. */
export const result = control(
  'a result of a tool',
  requestText({ messages: '[{"content":"y","role":"tool","toolCallId":"d"}]' }),
);
export const namedMessage = control(
  'a message of somebody',
  requestText({ messages: '[{"content":"y","name":"bob","role":"user"}]' }),
);

const TWO_OF_ONE_NAME = 'two tools of one name';

// The rows about the object that is hashed, as replay.md §A and §B.1 take it from the request.

/** Absent optionals are left out; explicit nulls and `tools: []` are either. */
export const omitsAbsent = digestScenario({
  id: 'cache-key.omits-absent',
  title: 'Optional fields that a request leaves out stay out of the hashed object, without null or default',
  requests: [
    probe('only temperature', requestText({ temperature: '0' })),
    probe('temperature of one', requestText({ temperature: '1' })),
    probe('only topP', requestText({ topP: '1' })),
    probe('only topK', requestText({ topK: '1' })),
    probe('only a tool', withTools('lookup')),
    probe('only a response format', requestText({ responseFormat: '{"type":"text"}' })),
    probe('a tool with a description', withTool('{"description":"","name":"lookup","parameters":{}}')),
    probe('a message with a name', requestText({ messages: '[{"content":"hello","name":"ann","role":"user"}]' })),
    probe('a message with a toolCallId', requestText({ messages: '[{"content":"x","role":"tool","toolCallId":"c"}]' })),
    // A host may refuse such a name, and has to hash it where it does not.
    ...Object.entries({ name: 'user', toolCallId: 'tool' }).map(([name, role]) => ({
      ...probe(`an empty ${name}`, requestText({ messages: `[{"content":"hello","${name}":"","role":"${role}"}]` })),
      mayRefuse: true as const,
    })),
    ...['temperature', 'topP', 'responseFormat', 'tools'].map((name) =>
      either(`${name}: null`, requestText({ [name]: 'null' }), 'plain'),
    ),
    either('tools: []', requestText({ tools: '[]' }), 'plain'),
  ],
});

/** With readings.md: by UTF-16 code unit, since any other order depends on the machine. */
export const sortsTools = digestScenario({
  id: 'cache-key.sorts-tools',
  title: 'Tools are hashed in ascending order of their names, compared by UTF-16 code unit',
  requests: [
    oneTool,
    probe('already in order', withTools('a', 'b')),
    probe('b before a', withTools('b', 'a')),
    probe('a before Z', withTools('a', 'Z')),
    probe('get_weather before getWeather', withTools('get_weather', 'getWeather')),
    probe('a capital before an underscore', withTools('a_a', 'aB')),
    probe('underscores between cases', withTools('get_b', 'getB', 'geta', 'getA')),
    probe('numbers by value', withTools('tool2', 'tool10', 'tool1')),
    probe('a hyphen and a dot', withTools('a.b', 'a-b', 'ab', 'a_b')),
    probe('a long beginning in common', withTools('get_weather_forecast_b', 'get_weather_forecast_a')),
    probe('an accent', withTools('z', '\u00e9', 'f')),
    probe('a decomposed accent', withTools('f', 'e\u0301')),
    probe('U+FB33 before U+1F600', withTools('\ufb33', '\u{1f600}')),
    probe('many tools', withTools(...Array.from({ length: MANY }, (_, index) => `tool_${MANY - index}`))),
    probe(
      'the order of names, not of descriptions',
      withTool('{"description":"a","name":"y","parameters":{}},{"description":"b","name":"x","parameters":{}}'),
    ),
    either(TWO_OF_ONE_NAME, withTool(`${LOOKUP_ONE},${LOOKUP_TWO}`)),
    either(`${TWO_OF_ONE_NAME}, turned round`, withTool(`${LOOKUP_TWO},${LOOKUP_ONE}`), TWO_OF_ONE_NAME),
  ],
});

export const canonicalToolSchema = digestScenario({
  id: 'cache-key.canonical-tool-schema',
  title: 'The order of names inside a tool definition does not matter at any depth, the order of its arrays does',
  requests: [
    oneTool,
    probe('the tool itself', withTool('{"parameters":{},"name":"lookup","description":"d"}')),
    probe('names of the parameters', withParameters('{"type":"object","properties":{},"required":[]}')),
    probe(
      'names of the properties',
      withParameters('{"properties":{"b":{"type":"string"},"a":{"type":"number"}},"type":"object"}'),
    ),
    probe(
      'names inside a property',
      withParameters(
        '{"properties":{"a":{"type":"object","properties":{"y":{"title":"t","description":"d"},"x":{}}}},"type":"object"}',
      ),
    ),
    probe('a list in one order', withParameters('{"required":["b","a"],"type":"object"}')),
    probe('a list in the other order', withParameters('{"required":["a","b"],"type":"object"}')),
    probe(
      'what providers take out of a schema',
      withParameters(
        '{"$comment":"c","$defs":{"b":{}},"$id":"https://example.com/s","$schema":"https://json-schema.org/draft/2020-12/schema","additionalProperties":false,"description":"d","examples":[1],"title":"t","type":"object","properties":{"a":{"default":null,"description":"d"}}}',
      ),
    ),
    probe(
      'what a schema demands',
      withParameters(
        '{"$defs":{"b":{"examples":["b","a"]},"a":{"type":"string"}},"anyOf":[{"default":"x","format":"date","maxLength":9,"minLength":1,"pattern":"^a","type":"string"}],"maximum":2,"minimum":1,"prefixItems":[{"type":"string"},{"type":"number"}]}',
      ),
    ),
    // A host may know that a schema names each value once.
    {
      ...probe(
        'types, and a list with one item twice',
        withParameters('{"enum":["b","a","b"],"type":["string","null"]}'),
      ),
      mayRefuse: true,
    },
    probe('objects in a list', withParameters('{"anyOf":[{"type":"string","enum":["b","a"]},{"const":"c"}]}')),
  ],
});

export const preservesMessageOrder = digestScenario({
  id: 'cache-key.preserves-message-order',
  title: 'Messages are hashed in the order of the request',
  requests: [
    result,
    probe('b, then a', withMessages(['user', 'b'], ['user', 'a'])),
    probe('a, then b', withMessages(['user', 'a'], ['user', 'b'])),
    probe('a, then a', withMessages(['user', 'a'], ['user', 'a'])),
    probe('a system message last', withMessages(['user', 'a'], ['system', 's'])),
    probe('a system message first', withMessages(['system', 's'], ['user', 'a'])),
    probe('another system message', withMessages(['user', 'a'], ['system', 't'])),
    probe('no system message', withMessages(['user', 'a'])),
    probe('an assistant before its user', withMessages(['assistant', 'x'], ['user', 'y'], ['system', 'z'])),
    probe(
      'results in another order than their ids',
      requestText({
        messages: '[{"content":"x","role":"tool","toolCallId":"b"},{"content":"y","role":"tool","toolCallId":"a"}]',
      }),
    ),
    probe('many messages', requestText({ messages: conversationOf(MANY) })),
    probe('four messages', withMessages(['user', 'c'], ['assistant', 'b'], ['user', 'a'], ['assistant', 'd'])),
  ],
  swaps: [
    { pair: ['b, then a', 'a, then b'], heeded: 'a, then a' },
    { pair: ['a system message last', 'a system message first'], heeded: 'another system message' },
  ],
});

export const preservesContentShape = digestScenario({
  id: 'cache-key.preserves-content-shape',
  title: 'Content is hashed verbatim: strings stay strings, blocks stay blocks, no text is trimmed or joined',
  requests: [
    result,
    probe('a string', withContent('"ab"')),
    probe('one block', withContent(`[${block('ab')}]`)),
    probe('two blocks', withContent(`[${block('a')},${block('b')}]`)),
    probe('the two blocks joined by a line feed', withContent(String.raw`"a\nb"`)),
    probe('the two blocks joined by a space', withContent('"a b"')),
    probe('blocks of two types', withContent(`[${block('a')},{"type":"image","url":"u"},${block('b')}]`)),
    probe('no blocks', withContent('[]')),
    probe('an empty string', withContent('""')),
    probe('space before', withContent('"  ab"')),
    probe('space after', withContent('"ab "')),
    probe('line feeds around', withContent(String.raw`"\nab\r\n"`)),
    probe('a block with a null', withContent('[{"cache":null,"text":"ab","type":"text"}]')),
    // A host may refuse a body of this size.
    { ...probe('a long text', withContent(JSON.stringify('text '.repeat(LONG)))), mayRefuse: true },
    { ...probe('a picture', withContent(`[{"type":"image","url":"${PICTURE}"}]`)), mayRefuse: true },
    { ...probe('a long text in a block', withContent(`[${block('text '.repeat(LONG))}]`)), mayRefuse: true },
    probe('space in a block', withContent(`[${block(' ab ')}]`)),
    probe('line feeds in a block', withContent(`[${block('a\r\nb\n')}]`)),
    probe('a block with an id', withContent('[{"text":"ab","tool_use_id":"b1","type":"tool_result"}]')),
    probe('a block with more members', withContent('[{"cache":{"a":1},"text":"ab","type":"text"}]')),
    probe(
      'a block that is to be cached',
      withContent('[{"cache_control":{"type":"ephemeral"},"text":"ab","type":"text"}]'),
    ),
    probe(
      'a use of a tool',
      withContent('[{"id":"t1","input":{"b":[{"c":false,"d":{},"e":[]}],"a":"x"},"name":"n","type":"tool_use"}]'),
    ),
    probe('space around a system message', withMessages(['system', ' s '], ['user', 'x'])),
    probe('space after an assistant message', withMessages(['user', 'x'], ['assistant', 'y '])),
    probe('an empty system message', withMessages(['system', ''], ['user', 'y'])),
    probe('space before line feeds', withContent(String.raw`"a \n\n\nb"`)),
    probe('a text that is JSON', withContent(JSON_TEXT)),
    probe(
      'a result that is JSON',
      requestText({ messages: `[{"content":${JSON_TEXT},"role":"tool","toolCallId":"c"}]` }),
    ),
    // A host may know the types of blocks.
    { ...probe('a type in mixed case', withContent('[{"text":"ab","type":"Text"}]')), mayRefuse: true },
    probe(
      'many blocks, some alike',
      withContent(`[${Array.from({ length: 24 }, (_, at) => block(`${at % 20}`)).join(',')}]`),
    ),
    probe(
      'a result of blocks',
      withContent(`[{"content":[${block('a')},${block('b')}],"tool_use_id":"b1","type":"tool_result"}]`),
    ),
    probe('a picture at a signed address', withContent(`[{"type":"image","url":"${SIGNED}"}]`)),
    probe('a picture in detail', withContent(`[{"image_url":{"detail":"auto","url":"u"},"type":"image_url"}]`)),
    probe(
      'a thought before the text',
      withContent(`[{"signature":"s","thinking":"t","type":"thinking"},${block('ab')}]`),
    ),
  ],
});

export const modelVerbatim = digestScenario({
  id: 'cache-key.model-verbatim',
  title: "The model's id is hashed as the request gives it",
  requests: [
    probe('upper case', withModel('GPT-4')),
    probe('mixed case', withModel('Gpt-4')),
    probe('space after', withModel('gpt-4 ')),
    probe('space before', withModel(' gpt-4')),
    probe('a date', withModel('gpt-4-2024-08-06')),
    probe('a short date', withModel('gpt-4-0613')),
    probe('an alias', withModel('gpt-4-latest')),
    probe('a path', withModel('openai/gpt-4')),
    probe('a tag', withModel('gpt-4:free')),
    probe('a version', withModel('gpt-4@20240613')),
    probe('a collection', withModel('models/gpt-4')),
    probe('a region and a revision', withModel('us.openai.gpt-4-v1:0')),
    probe('a point, an underscore', withModel('gpt-4.1_mini')),
    probe('a preview', withModel('gpt-4-preview')),
    probe('an escape', withModel('gpt%2D4')),
    probe(
      'a long path',
      withModel('accounts/conformance/deployments/conformance-in-a-region-of-its-own/models/gpt-4-instruct'),
    ),
    either('the provider in upper case', requestText({ provider: '"OpenAI"' }), 'plain'),
  ],
});
