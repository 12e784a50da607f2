import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { NAMED_WRONG_KEYS } from '../../test/named-wrong-keys.ts';
import { catalogue } from './catalogue.ts';
import { diagnoseKey } from './search.ts';

const sha = (text: string): string => createHash('sha256').update(text).digest('hex');
const user = (content: string): string => `"messages":[{"content":${content},"role":"user"}]`;
const ends = '"model":"m","provider":"p"';
const request = (members: string): string => `{"provider":"p","model":"m",${members}}`;

/** For each mistake a request and the text that a host with it would hash, written out by hand. */
const others: readonly (readonly [code: string, label: string, request: string, hashed: string])[] = [
  ['html-escaped', '', request(user('"<\u2028"')), `{${user(String.raw`"\u003c\u2028"`)},${ends}}`],
  ['ascii-escaped', 'slash', request(user('"/\u00e9"')), `{${user(String.raw`"\/\u00e9"`)},${ends}}`],
  ['ascii-escaped', 'upper', request(user('"\u{1f600}"')), `{${user(String.raw`"\uD83D\uDE00"`)},${ends}}`],
  ['nfc-applied', '', request(user('"e\u0301"')), `{${user('"\u00e9"')},${ends}}`],
  [
    'nfc-applied',
    'content of messages',
    request(`"messages":[{"content":[{"e\u0301":"e\u0301"}],"role":"e\u0301"}]`),
    `{"messages":[{"content":[{"e\u0301":"\u00e9"}],"role":"e\u0301"}],${ends}}`,
  ],
  [
    'nfc-applied',
    'content that is a string',
    request(`"messages":[{"content":"e\u0301","role":"e\u0301"},{"content":["e\u0301"]}]`),
    `{"messages":[{"content":"\u00e9","role":"e\u0301"},{"content":["e\u0301"]}],${ends}}`,
  ],
  [
    'messages-omitted',
    'equal the one before',
    request('"messages":[{"role":"user","content":"a"},{"content":"a","role":"user"},{"content":"b"},{"content":"a"}]'),
    `{"messages":[{"content":"a","role":"user"},{"content":"b"},{"content":"a"}],${ends}}`,
  ],
  ['utf8-replacement', 'U+FFFD', request(user(String.raw`"\ud800"`)), `{${user('"\ufffd"')},${ends}}`],
  ['utf8-replacement', 'escape', request(user(String.raw`"\ud800"`)), `{${user(String.raw`"\ud800"`)},${ends}}`],
  [
    'messages-merged',
    'where both are texts without a name',
    request(
      '"messages":[{"content":"a","role":"user"},{"content":"b","role":"user"},{"content":"c","name":"n","role":"user"}]',
    ),
    `{"messages":[{"content":"a\\nb","role":"user"},{"content":"c","name":"n","role":"user"}],${ends}}`,
  ],
  [
    'content-coalesced',
    'line feed',
    request(user('[{"text":"a","type":"text"},{"text":"b","type":"text"}]')),
    `{${user(String.raw`"a\nb"`)},${ends}}`,
  ],
  [
    'content-coalesced',
    'only type and text of text blocks',
    request(user('[{"text":"a","type":"text","x":1},{"text":"b","type":"other","x":1}]')),
    `{${user('[{"text":"a","type":"text"},{"text":"b","type":"other","x":1}]')},${ends}}`,
  ],
  ['content-coalesced', 'a string becomes', request(user('"a"')), `{${user('[{"text":"a","type":"text"}]')},${ends}}`],
  [
    'content-changed',
    'empty lines',
    request(user(String.raw`"a\n\n\n b"`)),
    `{${user(String.raw`"a\n\n b"`)},${ends}}`,
  ],
  ['content-trimmed', '', request(user('" a "')), `{${user('"a"')},${ends}}`],
  [
    'content-trimmed',
    'become line feeds: in every string but names',
    request(String.raw`"messages":[{"content":[{"\r":"a\r\n\rb"}],"name":"\r","role":"user"}]`),
    String.raw`{"messages":[{"content":[{"\r":"a\n\nb"}],"name":"\n","role":"user"}],${ends}}`,
  ],
  [
    'content-trimmed',
    "become line feeds: in a message's content",
    request(String.raw`"messages":[{"content":"a\r\n\rb","name":"\r","role":"user"}]`),
    String.raw`{"messages":[{"content":"a\n\nb","name":"\r","role":"user"}],${ends}}`,
  ],
  [
    'content-trimmed',
    'runs of white space, nothing trimmed',
    request(user(String.raw`"  a\n\nb "`)),
    `{${user('" a b "')},${ends}}`,
  ],
  [
    'content-trimmed',
    'runs of spaces, nothing trimmed',
    request(user(String.raw`"  a\n\nb "`)),
    `{${user(String.raw`" a\n\nb "`)},${ends}}`,
  ],
  [
    'content-trimmed',
    'of blocks but not of strings',
    request(`"messages":[{"content":[{"text":" a ","type":"text"}],"role":"user"},{"content":" b ","role":"user"}]`),
    `{"messages":[{"content":[{"text":"a","type":"text"}],"role":"user"},{"content":" b ","role":"user"}],${ends}}`,
  ],
  [
    'other-name-read',
    'system as the first message',
    request(`${user('"x"')},"system":"s"`),
    `{"messages":[{"content":"s","role":"system"},{"content":"x","role":"user"}],${ends}}`,
  ],
  [
    'empty-texts-dropped',
    'name',
    request('"messages":[{"content":"","name":"","role":"user"}]'),
    `{"messages":[{"content":"","role":"user"}],${ends}}`,
  ],
  [
    'defaults-filled',
    'temperature 0, topP 0, topK 0',
    request(user('"x"')),
    `{${user('"x"')},${ends},"temperature":0,"topK":0,"topP":0}`,
  ],
  [
    'defaults-filled',
    'an empty name, toolCallId of messages',
    request(user('"x"')),
    `{"messages":[{"content":"x","name":"","role":"user","toolCallId":""}],${ends}}`,
  ],
  [
    'defaults-filled',
    '0 and empty texts, null for tools',
    request(user('"x"')),
    `{"messages":[{"content":"x","name":"","role":"user","toolCallId":""}],${ends},"temperature":0,"tools":null,"topK":0,"topP":0}`,
  ],
  [
    'snake-case-names',
    'everywhere',
    request('"messages":[{"role":"tool","content":"x","toolCallId":"c"}],"topP":0.5'),
    `{"messages":[{"content":"x","role":"tool","tool_call_id":"c"}],${ends},"top_p":0.5}`,
  ],
  ['defaults-filled', 'temperature 0.2', request(user('"x"')), `{${user('"x"')},${ends},"temperature":0.2}`],
  ['defaults-filled', 'topP 0.95', request(user('"x"')), `{${user('"x"')},${ends},"topP":0.95}`],
  ['defaults-filled', 'topK 50', request(user('"x"')), `{${user('"x"')},${ends},"topK":50}`],
  [
    'defaults-filled',
    'temperature 0.3, topP 0.9, topK 40',
    request(user('"x"')),
    `{${user('"x"')},${ends},"temperature":0.3,"topK":40,"topP":0.9}`,
  ],
  ['defaults-filled', 'maxTokens 4096', request(user('"x"')), `{"maxTokens":4096,${user('"x"')},${ends}}`],
  [
    'extra-field-included',
    'a, b, c, d',
    request(`${user('"x"')},"a":1,"b":2,"c":3,"d":4,"e":5`),
    `{"a":1,"b":2,"c":3,"d":4,${user('"x"')},${ends}}`,
  ],
  ['trailing-newline', 'a space', request(user('"x"')), `{${user('"x"')},${ends}} `],
  [
    'roles-renamed',
    'assistant as model',
    request('"messages":[{"content":"x","role":"assistant"}]'),
    `{"messages":[{"content":"x","role":"model"}],${ends}}`,
  ],
  [
    'roles-renamed',
    'system as developer',
    request('"messages":[{"content":"x","role":"system"}]'),
    `{"messages":[{"content":"x","role":"developer"}],${ends}}`,
  ],
  ...(
    [
      ['all but the last 2', [1, 2]],
      ['all but the first', [0]],
    ] as const
  ).map(([label, kept]) => {
    const all = ['a', 'b', 'c'].map((text) => `{"content":"${text}","role":"user"}`);
    return [
      'messages-omitted',
      label,
      request(`"messages":[${all.join()}]`),
      `{"messages":[${kept.map((at) => all[at]).join()}],${ends}}`,
    ] as const;
  }),
  [
    'blocks-omitted',
    'images',
    request(user('[{"text":"a","type":"text"},{"type":"image_url","url":"u"},{"type":"audio"}]')),
    `{${user('[{"text":"a","type":"text"},{"type":"audio"}]')},${ends}}`,
  ],
  [
    'content-coalesced',
    'JSON text, names as they came',
    request(user('[{"type":"text","text":"a"}]')),
    `{${user(String.raw`"[{\"type\":\"text\",\"text\":\"a\"}]"`)},${ends}}`,
  ],
  ['content-changed', 'lower case', request(user('"Hello"')), `{${user('"hello"')},${ends}}`],
  [
    'content-changed',
    'cut after 100 characters',
    request(user(`"${'x'.repeat(120)}"`)),
    `{${user(`"${'x'.repeat(100)}"`)},${ends}}`,
  ],
  [
    'tools-reshaped',
    'as functions: ',
    request(`${user('"x"')},"tools":[{"name":"b","parameters":{}},{"name":"a","parameters":{}}]`),
    `{${user('"x"')},${ends},"tools":[{"function":{"name":"a","parameters":{}},"type":"function"},{"function":{"name":"b","parameters":{}},"type":"function"}]}`,
  ],
  [
    'tools-reshaped',
    'input_schema',
    request(`${user('"x"')},"tools":[{"name":"a","parameters":{}}]`),
    `{${user('"x"')},${ends},"tools":[{"input_schema":{},"name":"a"}]}`,
  ],
  [
    'tools-reshaped',
    'an object by name',
    request(`${user('"x"')},"tools":[{"name":"a","parameters":{}}]`),
    `{${user('"x"')},${ends},"tools":{"a":{"name":"a","parameters":{}}}}`,
  ],
  [
    'tool-names-changed',
    'to lower case',
    request(`${user('"x"')},"tools":[{"name":"A","parameters":{}}]`),
    `{${user('"x"')},${ends},"tools":[{"name":"a","parameters":{}}]}`,
  ],
  [
    'response-format-reshaped',
    'schema alone',
    request(`${user('"x"')},"responseFormat":{"schema":{"a":1},"type":"json"}`),
    `{${user('"x"')},${ends},"responseFormat":{"a":1}}`,
  ],
  [
    'empty-members-dropped',
    'lists, objects and texts',
    request(`${user('""')},"tools":[{"name":"a","parameters":{}}]`),
    `{"messages":[{"role":"user"}],${ends},"tools":[{"name":"a"}]}`,
  ],
  ['provider-case-folded', 'upper', request(user('"x"')), `{${user('"x"')},"model":"m","provider":"P"}`],
  [
    'names-sorted-otherwise',
    'downwards',
    `{"model":"m","provider":"p",${user('"x"')}}`,
    '{"provider":"p","model":"m","messages":[{"role":"user","content":"x"}]}',
  ],
  [
    'names-sorted-otherwise',
    'length',
    `{"provider":"p",${user('"x"')},"model":"m"}`,
    '{"model":"m","messages":[{"role":"user","content":"x"}],"provider":"p"}',
  ],
  [
    'whitespace',
    'indented by 2',
    request('"messages":[]'),
    '{\n  "messages": [],\n  "model": "m",\n  "provider": "p"\n}',
  ],
];

/** What asks for JSON of this schema. */
const schema = (text: string): string => `"responseFormat":{"schema":${text},"type":"json"}`;

/** The same for what stands beside the messages. */
const beside: readonly (readonly [code: string, label: string, members: string, hashed: string])[] = [
  ['number-text', 'spell', '"topP":1.0', '"topP":1.0'],
  ['number-text', 'Python', '"topP":1e-7', '"topP":1e-07'],
  ['number-text', 'Python', '"topK":123456789012345678', '"topK":123456789012345678'],
  ['number-text', 'Java', '"topP":1e-7', '"topP":1.0E-7'],
  ['number-text', 'Rust', '"topP":0.000001', '"topP":1e-6'],
  ['number-text', 'Go', '"topP":0.00001', '"topP":1e-05'],
  ['number-text', 'without exponents', '"topK":1e21', '"topK":1000000000000000000000'],
  ['number-text', 'all digits', '"topK":1.2345678901234568e20', '"topK":123456789012345683968'],
  ['number-text', 'but rounded to 2 decimals', '"temperature":-0.001,"topP":0.128', '"temperature":0,"topP":0.13'],
  ['number-text', 'but rounded to 6 decimals', '"topP":0.12345678', '"topP":0.123457'],
  ['number-text', 'temperature rounded to 1 ', '"temperature":0.25,"topP":0.25', '"temperature":0.3,"topP":0.25'],
  ['number-text', 'temperature rounded to 2 ', '"temperature":0.128,"topP":0.128', '"temperature":0.13,"topP":0.128'],
  ['nfc-applied', 'to NFD, values', schema('{"\u00e9":"\u00e9"}'), schema('{"\u00e9":"e\u0301"}')],
  ['nfc-applied', 'names alone', schema('{"e\u0301":"e\u0301","f":1}'), schema('{"\u00e9":"e\u0301","f":1}')],
  [
    'nfc-applied',
    'to NFC, before tools were sorted',
    '"tools":[{"name":"f"},{"name":"e\u0301"}]',
    '"tools":[{"name":"f"},{"name":"\u00e9"}]',
  ],
  ['response-format-omitted', 'its type', schema('{}'), '"responseFormat":{"schema":{}}'],
  ['negative-zero', '', '"topP":-0', '"topP":-0'],
  ['number-without-form', 'Infinity', '"topP":1e400', '"topP":Infinity'],
  ['code-point-order', '', schema(`{"\u{1f600}":1,"\ufb33":2}`), schema(`{"\ufb33":2,"\u{1f600}":1}`)],
  ['integer-keys-first', '', schema('{"10":1,"9":2}'), schema('{"9":2,"10":1}')],
  ['proto-key-dropped', '', schema('{"__proto__":1,"a":2}'), schema('{"a":2}')],
  ['arrays-sorted', '', schema('{"enum":["b","a"]}'), schema('{"enum":["a","b"]}')],
  [
    'arrays-sorted',
    'required names',
    schema('{"enum":["b","a"],"required":["d","c"]}'),
    schema('{"enum":["b","a"],"required":["c","d"]}'),
  ],
  [
    'arrays-sorted',
    'required names of tools alone',
    '"responseFormat":{"schema":{"required":["b","a"]},"type":"json"},"tools":[{"name":"t","parameters":{"required":["d","c"]}}]',
    '"responseFormat":{"schema":{"required":["b","a"]},"type":"json"},"tools":[{"name":"t","parameters":{"required":["c","d"]}}]',
  ],
  ['extra-field-included', 'seed, stop', '"seed":1,"stop":["z"],"user":"u"', '"seed":1,"stop":["z"]'],
  ['other-name-read', "top_p where the recipe's own is absent", '"top_p":0.5,"top_k":1', '"topP":0.5'],
  [
    'defaults-filled',
    'an empty description of tools',
    '"tools":[{"name":"t","parameters":{}}]',
    '"tools":[{"description":"","name":"t","parameters":{}}]',
  ],
  [
    'defaults-filled',
    'for empty parameters of tools',
    '"tools":[{"name":"t","parameters":{}},{"name":"u","parameters":{"type":"object"}}]',
    '"tools":[{"name":"t","parameters":{"properties":{},"type":"object"}},{"name":"u","parameters":{"type":"object"}}]',
  ],
  [
    'defaults-dropped',
    'schema {} of the format',
    `${schema('{}')},"tools":[{"name":"t","parameters":{}}]`,
    '"responseFormat":{"type":"json"},"tools":[{"name":"t","parameters":{}}]',
  ],
  [
    'defaults-dropped',
    'parameters {} of tools',
    `${schema('{}')},"tools":[{"name":"t","parameters":{}}]`,
    `${schema('{}')},"tools":[{"name":"t"}]`,
  ],
  [
    'null-placeholders',
    'description of tools',
    '"tools":[{"name":"t","parameters":{}}]',
    '"tools":[{"description":null,"name":"t","parameters":{}}]',
  ],
  [
    'null-placeholders',
    'schema of the format',
    '"responseFormat":{"type":"json"}',
    '"responseFormat":{"schema":null,"type":"json"}',
  ],
  [
    'number-text',
    'temperature and topP rounded to 32 bits',
    '"responseFormat":{"schema":{"const":0.1},"type":"json"},"topP":0.1',
    '"responseFormat":{"schema":{"const":0.1},"type":"json"},"topP":0.10000000149011612',
  ],
];

const mistakes = [
  ...others,
  ...beside.map(
    ([code, label, members, hashed]) =>
      [code, label, request(`${user('"x"')},${members}`), `{${user('"x"')},${ends},${hashed}}`] as const,
  ),
];

const breaks = (code: string): readonly string[] => catalogue.find((entry) => entry.code === code)?.breaks ?? [];

describe('the catalogue', () => {
  it('holds every name of the readings, once, with a sentence', () => {
    const codes = catalogue.map(({ code }) => code);
    expect(codes).toEqual(expect.arrayContaining(NAMED_WRONG_KEYS));
    expect(new Set(codes).size).toBe(codes.length);
    expect(catalogue.filter(({ message }) => message.length < 20)).toEqual([]);
  });

  it('says which requirements a mistake breaks', () => {
    expect(breaks('null-placeholders')).toEqual(['cache-key.omits-absent']);
    expect(breaks('nfc-applied')).toEqual(['cache-key.jcs-strings']);
    expect(breaks('code-point-order')).toEqual(['cache-key.jcs-key-order', 'cache-key.sorts-tools']);
  });
});

describe('diagnoseKey', () => {
  it.each(mistakes)('names %s (%s)', (code, label, text, hashed) => {
    const all = diagnoseKey(text, sha(hashed), 'rfc-0041') ?? [];
    const found = all.filter(({ message }) => message.includes(label));
    expect(found.map(({ codes }) => codes)).toContainEqual([code]);
    expect(found[0]?.digest).toBe(sha(hashed));
  });

  it('puts two mistakes together where one does not explain the key', () => {
    const text = request(user('"\u00e9"'));
    const key = sha(`{${user(String.raw`"\u00e9"`)},${ends}}`).toUpperCase();
    expect(diagnoseKey(text, key, 'rfc-0041')?.[0]?.codes).toEqual(['ascii-escaped', 'uppercase-hex']);
  });

  it('takes the text as it came for what was hashed where no single rule gives the key', () => {
    const text = `{ ${user('"x"')},\n ${ends} }`;
    expect(diagnoseKey(text, sha(text), 'rfc-0041')).toMatchObject([{ codes: ['raw-body'], digest: sha(text) }]);
    expect(diagnoseKey(text, sha(` ${text}`), 'rfc-0041')).toEqual([]);
  });

  it('has nothing to say about a right key, an unknown one and a broken request', () => {
    const text = request(user('"x"'));
    expect(diagnoseKey(text, sha(`{${user('"x"')},${ends}}`), 'rfc-0041')).toEqual([]);
    expect(diagnoseKey(text, sha('something else'), 'rfc-0041')).toEqual([]);
    expect(diagnoseKey('{', sha('x'), 'rfc-0041')).toEqual([]);
  });

  it('takes a name of the prototype chain for an ordinary member', () => {
    const text = request(`${user('"x"')},"__proto__":{"a":1},"constructor":2`);
    const key = sha(`{"__proto__":{"a":1},${user('"x"')},${ends}}`);
    expect(diagnoseKey(text, key, 'rfc-0041')?.[0]).toMatchObject({ codes: ['extra-field-included'] });
  });
});
