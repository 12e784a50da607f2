import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { testClient } from '../../test/reference-client.ts';
import { isObject, member } from '../json.ts';
import { packageFile } from '../package-files.ts';
import { defaultParts } from '../parts.ts';
import { NoCanonicalForm } from './cache-key.ts';

interface Vector {
  readonly name: string;
  readonly canonical: string;
  readonly cacheKey: string;
  readonly requestText: string;
}

const GOLDEN = goldenVectors();

function keyOf(rawText: string): string {
  const call = { request: JSON.parse(rawText) as unknown, rawText, headers: new Headers(), tenant: 'a' };
  return defaultParts.cacheKey(call, defaultParts);
}

const request = (members: string): string =>
  `{"provider":"openai","model":"gpt-4","messages":[{"role":"user","content":"hello"}]${members}}`;
const tool = (schema: string): string => request(`,"tools":[{"name":"t","parameters":${schema}}]`);
const MINIMAL = '4a28389c61c823cfafc061d045db51cf6e83f9b0dbe5effb5e9e51574f550376';

describe('cache key', () => {
  it('has all golden vectors to answer for', () => {
    expect(GOLDEN).toHaveLength(27);
  });

  it.each(GOLDEN)('gives the golden form and key of $name', ({ canonical, cacheKey, requestText }) => {
    const projected = defaultParts.projectRequest(JSON.parse(requestText));
    expect(defaultParts.serialise(projected)).toBe(canonical);
    expect(keyOf(requestText)).toBe(cacheKey);
  });

  it.each([
    ['null optionals', ',"tools":null,"temperature":null,"topP":null,"topK":null,"responseFormat":null'],
    ['an empty tool list', ',"tools":[]'],
    ['fields outside the recipe', ',"seed":1,"max_tokens":2,"stream":true,"__proto__":{"temperature":1}'],
  ])('treats %s as absent', (_, members) => {
    expect(keyOf(request(members))).toBe(MINIMAL);
  });

  it('keeps a __proto__ member at every depth of what it takes over', () => {
    const schema = '{"properties":{"__proto__":{"__proto__":{"type":"string"}}}}';
    const text = defaultParts.serialise(defaultParts.projectRequest(JSON.parse(tool(schema))));
    expect(text).toContain(schema);
    expect(keyOf(tool(schema))).not.toBe(keyOf(tool('{"properties":{}}')));
  });

  it.each([
    ['a lone surrogate', request(',"responseFormat":{"type":"\\ud800"}')],
    ['a lone surrogate in a key', request(',"responseFormat":{"type":"json","schema":{"\\udc00":1}}')],
    ['a number beyond binary64', request(',"temperature":1e400')],
  ])('has no key for %s', (_, text) => {
    expect(() => keyOf(text)).toThrow(NoCanonicalForm);
  });
});

describe('the llm-cache-key seam', () => {
  const client = testClient();
  const path = '/v1/host/sample/test/llm-cache-key';

  it('answers the key of the request text', async () => {
    const reply = await client.post(path, undefined, { text: request('') });
    expect([reply.status, reply.body]).toEqual([200, { cacheKey: MINIMAL }]);
  });

  it.each([
    ['no provider', '{"model":"m","messages":[]}'],
    ['a model that is no string', '{"provider":"p","model":1,"messages":[]}'],
    ['no messages', '{"provider":"p","model":"m"}'],
    ['messages that are no array', '{"provider":"p","model":"m","messages":{}}'],
    ['a message that is no object', '{"provider":"p","model":"m","messages":["x"]}'],
    ['a number as content', '{"provider":"p","model":"m","messages":[{"role":"user","content":1}]}'],
    ['a temperature that is no number', request(',"temperature":"1"')],
    ['tools that are no array', request(',"tools":{}')],
    ['a tool without a name', request(',"tools":[{}]')],
    ['a response format without a type', request(',"responseFormat":{}')],
    ['an array', '[]'],
    ['null', 'null'],
    ['no JSON', '{'],
    ['nothing', ''],
    ['a lone surrogate', request(',"responseFormat":{"type":"\\ud800"}')],
    ['a number beyond binary64', request(',"topK":-1e400')],
    ['a hundred thousand levels', `${'['.repeat(100_000)}${']'.repeat(100_000)}`],
  ])('refuses %s with 400 and no key', async (_, text) => {
    const reply = await client.post(path, undefined, { text });
    expect(reply.status).toBe(400);
    expect(reply.body).toMatchObject({ error: 'validation_error' });
    expect(reply.body).not.toHaveProperty('cacheKey');
  });

  it('is not there unless the host enables it', async () => {
    const closed = testClient({ enableTestSeams: false });
    expect((await closed.post(path, undefined, { text: request('') })).status).toBe(404);
  });

  it('needs a credential, and any will do', async () => {
    expect((await client.post(path, undefined, { text: request(''), key: 'nobody' })).status).toBe(401);
    expect((await client.post(path, undefined, { text: request(''), key: 'key-reader' })).status).toBe(200);
  });
});

/** The vectors with each request's own text: parsing and printing it again would lose forms such as -0.0. */
function goldenVectors(): Vector[] {
  const file = readFileSync(packageFile('fixtures/vectors/cache-key-golden.json'), 'utf8');
  const document: unknown = JSON.parse(file);
  const listed = member(document, 'vectors');
  if (!Array.isArray(listed)) throw new TypeError('no vectors');
  const texts = file.split('"request": ').slice(1).map(leadingObject);
  return listed.filter(isObject).map((vector, index) => ({
    name: String(vector['name']),
    canonical: String(vector['canonical']),
    cacheKey: String(vector['cacheKey']),
    requestText: texts[index] ?? '',
  }));
}

/** The object that a text begins with: the file is indented, so its end stands alone at its own level. */
function leadingObject(text: string): string {
  return text.slice(0, text.indexOf('\n   },') + 5);
}
