import { type JsonNode, type Member, type ObjectNode, objectNode, stringNode, textOf, valueOf } from './json-node.ts';
import { withoutRepeats } from './member-order.ts';
import type { RecipeShape } from './steps.ts';
import { NODE, spend } from './work.ts';

/** The two recipes that are advertised under one name (readings.md, Two recipes). */
export type Recipe = 'rfc-0041' | 'rfc-0150';

const requestFields = ['messages', 'tools', 'temperature', 'topP', 'topK', 'responseFormat'];

/** replay.md §A/§B: the flat object with the closed set of fields. */
const flat: RecipeShape = {
  fields: new Set(['provider', 'model', ...requestFields]),
  assemble: (fields) => fields,
};

const laterFields = new Set([...requestFields, 'maxOutputTokens', 'seed', 'stop', 'safetySettings']);

/** RFC 0150: the later revision, with the request's own fields in an object of their own. */
const nested: RecipeShape = {
  fields: new Set(['provider', 'model', 'providerOptions', ...laterFields]),
  assemble: (fields) =>
    objectNode([
      { key: 'recipe', value: stringNode('openwop-semantic-request-v2') },
      ...fields.members.filter(({ key }) => !laterFields.has(key)),
      { key: 'request', value: objectNode(fields.members.filter(({ key }) => laterFields.has(key))) },
    ]),
};

/** The shape of each recipe. */
export const recipeShapes: Readonly<Record<Recipe, RecipeShape>> = { 'rfc-0041': flat, 'rfc-0150': nested };

const messageFields = new Set(['role', 'content', 'name', 'toolCallId']);
const toolFields = new Set(['name', 'description', 'parameters']);
const formatFields = new Set(['type', 'schema']);

/** Closed members only, and an explicit null counts as absent (readings.md: either). */
function closed(node: JsonNode, fields: ReadonlySet<string>): JsonNode {
  if (node.kind !== 'object') return node;
  const kept = present(withoutRepeats(node.members)).filter(({ key }) => fields.has(key));
  return kept.length === node.members.length ? node : objectNode(kept);
}

function present(members: readonly Member[]): readonly Member[] {
  return members.filter(({ key, value }) => value.kind !== 'null' || key === 'content');
}

function closedItems(node: JsonNode, fields: ReadonlySet<string>): JsonNode {
  return node.kind === 'array' ? { ...node, items: node.items.map((item) => closed(item, fields)) } : node;
}

function projectField({ key, value }: Member): Member {
  switch (key) {
    case 'messages':
      return { key, value: closedItems(value, messageFields) };
    case 'tools':
      return { key, value: closedItems(value, toolFields) };
    case 'responseFormat':
      return { key, value: closed(value, formatFields) };
    default:
      return { key, value };
  }
}

/**
 * The recipe's fields of a request, in the request's order, closed at every level that replay.md §A closes; explicit null
 * optionals and an empty `tools` count as absent. `extra` lets fields outside the recipe through, for wrong rules.
 */
export function projectRequest(request: ObjectNode, shape: RecipeShape, extra: (name: string) => boolean): ObjectNode {
  spend(NODE * request.members.length);
  const taken = withoutRepeats(request.members).filter(({ key }) => shape.fields.has(key) || extra(key));
  return objectNode(present(taken).filter(isNotEmptyTools).map(projectField));
}

function isNotEmptyTools({ key, value }: Member): boolean {
  return key !== 'tools' || value.kind !== 'array' || value.items.length > 0;
}

/** Why an object is not a cache-key request (replay.md §A), or undefined where it is one. */
export function requestMistake(root: JsonNode): string | undefined {
  if (root.kind !== 'object') return 'the request is not a JSON object';
  for (const key of ['provider', 'model']) {
    const kind = valueOf(root, key)?.kind;
    if (kind !== 'string') return `"${key}" ${kind === undefined ? 'is missing' : 'is not a string'}`;
  }
  const messages = valueOf(root, 'messages');
  if (messages?.kind !== 'array') return `"messages" ${messages === undefined ? 'is missing' : 'is not an array'}`;
  if (messages.items.some(({ kind }) => kind !== 'object')) return '"messages" holds something that is not an object';
  return toolsMistake(valueOf(root, 'tools')) ?? optionalMistake(root);
}

const OPTIONAL = { temperature: 'number', topP: 'number', topK: 'number', responseFormat: 'object' } as const;

function optionalMistake(root: ObjectNode): string | undefined {
  for (const [key, wanted] of Object.entries(OPTIONAL)) {
    const kind = valueOf(root, key)?.kind;
    if (kind !== undefined && kind !== 'null' && kind !== wanted) {
      return `"${key}" is not ${wanted === 'object' ? 'an object' : 'a number'}`;
    }
  }
  return undefined;
}

function toolsMistake(tools: JsonNode | undefined): string | undefined {
  if (tools === undefined || tools.kind === 'null') return undefined;
  if (tools.kind !== 'array') return '"tools" is not an array';
  const named = tools.items.every((tool) => textOf(tool, 'name') !== undefined);
  return named ? undefined : '"tools" holds something that is not an object with a string "name"';
}
