import { isDeepStrictEqual } from 'node:util';
import { member } from '../../src/contract/discovery.ts';
import { computeKey } from '../../src/cache-key/index.ts';
import type { RecipeName } from '../../src/runner/scenario.ts';

/** The provider that the nodes of the fixture name. */
const PROVIDER = 'openai-compatible';

/** What the fixture asks of a model, beside its messages. A host may send more, and need not count that as part of the request. */
interface Stated {
  readonly temperature?: number;
}

/** The models of the fixture, one for each node, with what its definition states. */
export const MODELS: ReadonlyMap<string, Stated> = new Map([
  ['witness-plain', {}],
  ['witness-warm', { temperature: 0.7 }],
  ['witness-tools', {}],
  ['witness-schema', {}],
]);

/** Numbers of the recipe as chat completions spell them. */
const NUMBERS = [
  ['temperature', 'temperature'],
  ['topP', 'top_p'],
  ['topK', 'top_k'],
] as const;

/**
 * The keys that the recipe (replay.md §A, §B) may give for a call, from the body in which it reached the witness. There are
 * several where the body does not tell how a host names the format of the answer, or whether a number that no definition
 * states is part of its request. None where the body is no request.
 */
export function keysOfCall(body: unknown, recipe: RecipeName): readonly string[] {
  const stated = MODELS.get(String(member(body, 'model'))) ?? {};
  const base = {
    provider: PROVIDER,
    model: member(body, 'model'),
    messages: member(body, 'messages'),
    ...toolsIn(body),
  };
  const requests = numbersIn(body, stated).flatMap((numbers) =>
    formatsIn(body).map((format) => ({ ...base, ...numbers, ...format })),
  );
  const keys = requests.flatMap((request) => {
    const computed = computeKey(JSON.stringify(request), recipe);
    return computed.ok ? [computed.cacheKey] : [];
  });
  return [...new Set(keys)];
}

/** The numbers of a call as they were sent, and those alone that the definition states. */
function numbersIn(body: unknown, stated: Stated): readonly object[] {
  const sent = Object.fromEntries(
    NUMBERS.flatMap(([name, spelt]) => (typeof member(body, spelt) === 'number' ? [[name, member(body, spelt)]] : [])),
  );
  return isDeepStrictEqual(sent, stated) ? [sent] : [sent, stated];
}

function toolsIn(body: unknown): object {
  const tools = member(body, 'tools');
  if (!Array.isArray(tools) || tools.length === 0) return {};
  return { tools: tools.map((tool: unknown) => member(tool, 'function') ?? tool) };
}

/** The answer's format: a schema makes it JSON; without one a host may leave it out or name text, or tool calls with tools. */
function formatsIn(body: unknown): readonly object[] {
  const format = member(body, 'response_format');
  const schema = member(member(format, 'json_schema'), 'schema') ?? member(format, 'schema');
  if (schema !== undefined && schema !== null) return [{ responseFormat: { type: 'json', schema } }];
  if (member(format, 'type') === 'json_object') return [{ responseFormat: { type: 'json' } }];
  const named = ['text', ...(Array.isArray(member(body, 'tools')) ? ['tool_call'] : [])];
  return [{}, ...named.map((type) => ({ responseFormat: { type } }))];
}
