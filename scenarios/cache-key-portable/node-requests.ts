import { member } from '../../src/contract/discovery.ts';
import { computeKey } from '../../src/cache-key/index.ts';
import type { RecipeName } from '../../src/runner/scenario.ts';
import { type StatedRequest, statedRequests } from './stated-requests.ts';

/** The provider that the nodes of the fixture name. */
const PROVIDER = 'openai-compatible';

/** The model of each node of the fixture. */
export const NODES: ReadonlyMap<string, string> = new Map([
  ['plain-call', 'witness-plain'],
  ['warm-call', 'witness-warm'],
  ['tool-call', 'witness-tools'],
  ['schema-call', 'witness-schema'],
]);
export const MODELS: ReadonlySet<string> = new Set(NODES.values());

/** Numbers of the recipe as chat completions spell them. */
const NUMBERS = [
  ['temperature', 'temperature'],
  ['topP', 'top_p'],
  ['topK', 'top_k'],
] as const;

/**
 * The keys that the recipe (replay.md §A, §B) may give for a call, from the body in which it reached the witness. There are
 * several where the body does not tell how a host names the format of the answer, and where it is not what the definition
 * states: the recipe hashes a request that knows no provider, and what a host makes of that for the wire (other names of
 * roles, blocks for texts, a stricter schema, more numbers) need not count as part of it. None where the body is no request.
 */
export function keysOfCall(body: unknown, recipe: RecipeName): readonly string[] {
  const model = member(body, 'model');
  const stated = typeof model === 'string' ? statedRequests().get(model) : undefined;
  const keys = eachOf(messagesOf(body, stated), toolsOf(body, stated), numbersOf(body, stated), formatsOf(body, stated))
    .map((members) => computeKey(JSON.stringify({ provider: PROVIDER, model, ...members }), recipe))
    .flatMap((computed) => (computed.ok ? [computed.cacheKey] : []));
  return [...new Set(keys)];
}

/** The members of every request that takes one of each list. */
function eachOf(...lists: readonly (readonly object[])[]): readonly object[] {
  return lists.reduce<readonly object[]>(
    (requests, list) => requests.flatMap((request) => list.map((members) => ({ ...request, ...members }))),
    [{}],
  );
}

/** These without those that say the same as one before them. */
function distinct(members: readonly object[]): readonly object[] {
  return [...new Map(members.map((each) => [JSON.stringify(each), each])).values()];
}

function messagesOf(body: unknown, stated: StatedRequest | undefined): readonly object[] {
  const sent = { messages: member(body, 'messages') };
  return distinct(stated === undefined ? [sent] : [sent, { messages: stated.messages }]);
}

/** The numbers of a call as they were sent, and those alone that the definition states. */
function numbersOf(body: unknown, stated: StatedRequest | undefined): readonly object[] {
  const sent = Object.fromEntries(
    NUMBERS.flatMap(([name, spelt]) => (typeof member(body, spelt) === 'number' ? [[name, member(body, spelt)]] : [])),
  );
  const temperature = stated?.temperature;
  return distinct([sent, temperature === undefined ? {} : { temperature }]);
}

function toolsOf(body: unknown, stated: StatedRequest | undefined): readonly object[] {
  const sent = toolsIn(member(body, 'tools'));
  return distinct(stated === undefined ? [sent] : [sent, toolsIn(stated.tools)]);
}

function toolsIn(tools: unknown): object {
  if (!Array.isArray(tools) || tools.length === 0) return {};
  return { tools: tools.map((tool: unknown) => member(tool, 'function') ?? tool) };
}

function formatsOf(body: unknown, stated: StatedRequest | undefined): readonly object[] {
  return distinct([...formatsIn(body), ...(stated === undefined ? [] : formatsFor(stated.schema, stated.tools))]);
}

function formatsIn(body: unknown): readonly object[] {
  const format = member(body, 'response_format');
  const schema = member(member(format, 'json_schema'), 'schema') ?? member(format, 'schema');
  const isAnyJson = member(format, 'type') === 'json_object' && (schema ?? null) === null;
  return isAnyJson ? [{ responseFormat: { type: 'json' } }] : formatsFor(schema, member(body, 'tools'));
}

/** The answer's format: a schema makes it JSON; without one a host may leave it out or name text, or tool calls with tools. */
function formatsFor(schema: unknown, tools: unknown): readonly object[] {
  if (schema !== undefined && schema !== null) return [{ responseFormat: { type: 'json', schema } }];
  const named = ['text', ...(Array.isArray(tools) ? ['tool_call'] : [])];
  return [{}, ...named.map((type) => ({ responseFormat: { type } }))];
}
